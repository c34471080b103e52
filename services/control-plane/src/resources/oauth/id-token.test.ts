import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { setOptions } from '../../../test/options.ts'
import { createSignInApp, type SignInApp } from '../../../test/sign-in-app.ts'

type Claims = Readonly<Record<string, unknown>>
type Key = { readonly kid: string; readonly privateKey: CryptoKey; readonly jwk: JWK }

describe('ID tokens', () => {
  let app: SignInApp
  let key: Key
  let stranger: Key
  let count = 0
  beforeAll(async () => {
    app = await createSignInApp()
    key = await createKey('first')
    stranger = await createKey('first')
    await setOptions(app.test.deps, { 'oidc.enabled': 'true', 'oidc.client_id': 'tollgate', 'oidc.client_secret': 's' })
  })
  beforeEach(async () => {
    await app.forgetLimits()
    count += 1
    // An address of its own for each test: documents and keys are cached by address.
    await setOptions(app.test.deps, { 'oidc.well_known': `${app.provider.url}/${count}/well-known`, 'oidc.token_endpoint': '' })
    app.provider.on(`/${count}/well-known`, {
      json: {
        issuer: 'https://issuer.example',
        authorization_endpoint: `${app.provider.url}/auth`,
        token_endpoint: `${app.provider.url}/token`,
        userinfo_endpoint: `${app.provider.url}/me`,
        jwks_uri: `${app.provider.url}/${count}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      },
    })
    publish(key)
    app.provider.on('/me', { json: { sub: 'sub-1', email: 'a@b.example' } })
  })
  afterAll(() => app.stop())

  const publish = (...all: Key[]) =>
    app.provider.on(`/${count}/keys`, { json: { keys: all.map(({ jwk, kid }) => ({ ...jwk, kid, alg: 'ES256' })) } })
  const nowS = () => Math.floor(Date.now() / 1000)
  const claimsOf = (nonce: string, change: Claims = {}): Claims => {
    const claims = { iss: 'https://issuer.example', aud: 'tollgate', sub: 'sub-1', iat: nowS(), exp: nowS() + 300, nonce, ...change }
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
  }
  const signed = (claims: Claims, by: Key = key) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: by.kid }).sign(by.privateKey)
  /** Signs in with the token that `make` builds for the nonce of the sign-in. */
  const signInWith = async (make: (nonce: string) => Promise<string> | string, browser: Browser = app.browser()) => {
    const { body } = await browser.call('POST', '/api/oauth/start', { provider: 'oidc', purpose: 'sign-in', aff: '' })
    const page = new URL((body.data as { url: string }).url).searchParams // the declared answer
    const id_token = await make(page.get('nonce') ?? '')
    app.provider.on('/token', { json: { access_token: 'at', token_type: 'Bearer', id_token } })
    return browser.call('GET', `/api/oauth/oidc?code=1&state=${page.get('state')}`)
  }
  const REFUSED = { success: false, message: 'OIDC 获取 Token 失败，请检查设置！' }

  it('are accepted when issuer, audience, nonce, time and signature are right', async () => {
    const { body } = await signInWith((nonce) => signed(claimsOf(nonce)))

    expect(body).toMatchObject({ success: true, data: { display_name: 'OIDC User' } })
    const exchange = app.provider.requests.find(({ url }) => url.pathname === '/token')
    expect(exchange?.headers.authorization).toBe(`Basic ${Buffer.from('tollgate:s').toString('base64')}`)
  })

  it.each<[string, Claims, boolean]>([
    ['issued by a clock that is half a minute ahead', { iat: nowS() + 30, nbf: nowS() + 30 }, true],
    ['expired half a minute ago', { exp: nowS() - 30 }, true],
    ['expired five minutes ago', { exp: nowS() - 300 }, false],
    ['not valid yet', { nbf: nowS() + 300 }, false],
    ['for another client', { aud: 'another' }, false],
    ['for several clients, of which this one asked', { aud: ['tollgate', 'other'], azp: 'tollgate' }, true],
    ['for several clients, of which another asked', { aud: ['tollgate', 'other'], azp: 'other' }, false],
    ['of another issuer', { iss: 'https://evil.example' }, false],
    ['of another sign-in', { nonce: 'another' }, false],
    ['without a nonce', { nonce: undefined }, false],
    ['without an expiry', { exp: undefined }, false],
    ['of another person than the user info', { sub: 'sub-2' }, false],
  ])('%s', async (_case, change, isAccepted) => {
    const { body } = await signInWith((nonce) => signed(claimsOf(nonce, change)))

    expect(body.success).toBe(isAccepted)
  })

  it.each<[string, (nonce: string) => Promise<string> | string]>([
    ['signed by another key of the same name', (nonce) => signed(claimsOf(nonce), stranger)],
    ['without a signature', (nonce) => new UnsecuredJWT(claimsOf(nonce)).encode()],
    ['signed with the client secret', (nonce) => new SignJWT(claimsOf(nonce)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('s'))],
    ['that is no token', () => 'nonsense'],
    ['that is missing', () => ''],
  ])('are refused: %s', async (_case, make) => {
    expect((await signInWith(make)).body).toEqual(REFUSED)
  })

  it('signed with a new key are accepted as soon as the provider publishes it', async () => {
    await signInWith((nonce) => signed(claimsOf(nonce)))
    const next = await createKey('second')
    publish(key, next)

    expect((await signInWith((nonce) => signed(claimsOf(nonce), next))).body.success).toBe(true)
  })

  it('are not checked without a well-known address, but the user info is read and the code needs PKCE', async () => {
    await setOptions(app.test.deps, {
      'oidc.well_known': '',
      'oidc.authorization_endpoint': `${app.provider.url}/auth`,
      'oidc.token_endpoint': `${app.provider.url}/token`,
      'oidc.user_info_endpoint': `${app.provider.url}/me`,
    })
    app.provider.requests.length = 0

    expect((await signInWith(() => '')).body.success).toBe(true)
    const exchange = app.provider.requests.find(({ url }) => url.pathname === '/token')
    expect(new URLSearchParams(exchange?.body).get('code_verifier')).toMatch(/^[\w-]{43}$/)
    expect(new URLSearchParams(exchange?.body).get('client_secret')).toBe('s')
  })

  it('sign in a person whom the provider gives no address', async () => {
    const browser = app.browser()
    const { body } = await browser.call('POST', '/api/oauth/start', { provider: 'oidc', purpose: 'sign-in', aff: '' })
    const page = new URL((body.data as { url: string }).url).searchParams // the declared answer
    app.provider.on('/token', {
      json: { access_token: 'at', token_type: 'Bearer', id_token: await signed(claimsOf(page.get('nonce') ?? '')) },
    })
    app.provider.on('/me', { json: { sub: 'sub-1' } })

    const { body: answer } = await browser.call('GET', `/api/oauth/oidc?code=1&state=${page.get('state')}`)

    expect(answer).toMatchObject({ success: true, data: { email: '' } })
  })

  it.each<[string, string, unknown, string]>([
    ['cannot be reached for the token', '/token', 'silence', '无法连接至 OIDC 服务器，请稍后重试！'],
    ['refuses the code', '/token', { status: 400, json: { error: 'invalid_grant' } }, 'OIDC 获取 Token 失败，请检查设置！'],
    ['refuses the access token', '/me', { status: 401, json: {} }, 'OIDC 获取用户信息失败！请检查设置！'],
    ['knows no subject', '/me', { json: { email: 'a@b.example' } }, 'OIDC 获取用户信息为空！请检查设置！'],
    ['answers a page', '/me', { text: '<html>' }, 'OIDC 获取用户信息为空！请检查设置！'],
  ])('a provider that %s gets a clear text', async (_case, path, reply, message) => {
    const browser = app.browser()
    const { body } = await browser.call('POST', '/api/oauth/start', { provider: 'oidc', purpose: 'sign-in', aff: '' })
    const page = new URL((body.data as { url: string }).url).searchParams // the declared answer
    app.provider.on('/token', {
      json: { access_token: 'at', token_type: 'Bearer', id_token: await signed(claimsOf(page.get('nonce') ?? '')) },
    })
    app.provider.on(path, reply as 'silence')

    expect((await browser.call('GET', `/api/oauth/oidc?code=1&state=${page.get('state')}`)).body).toEqual({ success: false, message })
  })
})

async function createKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { kid, privateKey, jwk: await exportJWK(publicKey) }
}
