import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OIDC_CLIENT, startOidcProvider, type OidcServer } from '../../../test/oidc-provider.ts'
import { setOptions } from '../../../test/options.ts'
import { anAddress, callFrom, mailCode } from '../../../test/registration.ts'
import { createSignInApp, type SignInApp } from '../../../test/sign-in-app.ts'
import { signInWith, type Browser } from '../../../test/browser.ts'

// A bonus is paid once per proven mailbox and per identity at a provider, however often the account is made again.

const BONUS = 1000
const INVITEE = 200
const REWARD = 50
const PASSWORD = 'a-good-password'
let app: SignInApp
let oidc: OidcServer
let next = 0

beforeAll(async () => {
  oidc = await startOidcProvider('http://gate.example/oauth/oidc')
  app = await createSignInApp()
  await setOptions(app.test.deps, {
    'oidc.enabled': 'true',
    'oidc.client_id': OIDC_CLIENT.client_id,
    'oidc.client_secret': OIDC_CLIENT.client_secret,
    'oidc.well_known': `${oidc.issuer}/.well-known/openid-configuration`,
    ServerAddress: 'http://gate.example',
    EmailVerificationEnabled: 'true',
    QuotaForNewUser: String(BONUS),
    QuotaForInvitee: String(INVITEE),
    QuotaForInviter: String(REWARD),
  })
})
beforeEach(() => app.forgetLimits())
afterAll(async () => {
  await app.stop()
  await oidc.stop()
})

type Made = { readonly browser: Browser; readonly username: string }

const codeFor = async (address: string): Promise<string> => {
  await mailCode(app.test, { purpose: 'verification', address, code: '123456' })
  return '123456'
}
async function register(email: string, aff_code = ''): Promise<{ readonly username: string }> {
  const username = `bonus${(next += 1)}`
  const body = { username, password: PASSWORD, email, verification_code: await codeFor(email), aff_code }
  const answer = await callFrom(app.test, anAddress(), { method: 'POST', path: '/api/user/register', body })
  expect(answer.body).toMatchObject({ success: true })
  return { username }
}
async function registerWith(email: string, aff_code = ''): Promise<Made> {
  const { username } = await register(email, aff_code)
  const browser = app.browser()
  await signInWith(browser, username, PASSWORD)
  return { browser, username }
}
async function signInAtProvider(login: string): Promise<Made> {
  const browser = app.browser()
  const { body } = await browser.call('POST', '/api/oauth/start', { provider: 'oidc', purpose: 'sign-in', aff: '' })
  const back = await oidc.logIn((body.data as { url: string }).url, login) // the declared answer
  const done = await browser.call('GET', `/api/oauth/oidc${back.search}`)
  expect(done.body).toMatchObject({ success: true })
  const { id, username } = done.body.data as { id: number; username: string } // the line above
  browser.userId = id
  return { browser, username }
}
const creditedOf = async ({ username }: { readonly username: string }): Promise<number> =>
  (await app.test.deps.db.selectFrom('users').select('credited').where('username', '=', username).executeTakeFirstOrThrow()).credited
const removeAccount = async ({ browser }: Made): Promise<void> => {
  expect((await browser.call('DELETE', '/api/user/self')).body).toMatchObject({ success: true })
}
const unbind = async ({ browser }: Made, provider: string): Promise<void> => {
  expect((await browser.call('POST', '/api/oauth/unbind', { provider })).body).toMatchObject({ success: true })
}

describe('the bonus of a mailbox', () => {
  it('is not paid to an account that is made again after its deletion', async () => {
    const first = await registerWith('again@example.org')
    await removeAccount(first)
    const second = await registerWith('again@example.org')

    expect([await creditedOf(first), await creditedOf(second)]).toEqual([BONUS, 0])
  })

  it('is not paid again for a mailbox that an account gave up', async () => {
    const first = await registerWith('given-up@example.org')
    await unbind(first, 'email')
    const second = await registerWith('given-up@example.org')

    expect([await creditedOf(first), await creditedOf(second)]).toEqual([BONUS, 0])
  })

  it.each([
    ['tagged+a@example.org', 'tagged+b@example.org'],
    ['dotted.name@gmail.com', 'dottedname@googlemail.com'],
  ])('is one for %s and %s', async (one, other) => {
    expect([await creditedOf(await registerWith(one)), await creditedOf(await registerWith(other))]).toEqual([BONUS, 0])
  })

  it('is not paid for a mailbox that another account had before it was bound here', async () => {
    const first = await registerWith('bound-first@example.org')
    const email = 'bound-later@example.org'
    await unbind(first, 'email')
    const code = await codeFor(email)
    expect((await first.browser.call('GET', `/api/oauth/email/bind?email=${email}&code=${code}`)).body).toMatchObject({ success: true })
    await unbind(first, 'email')

    expect(await creditedOf(await registerWith(email))).toBe(0)
  })

  it('is paid once when fifty accounts are made of its variants at once', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, (_, at) => register(`many+${at}@example.org`)))

    const credited = await Promise.all(made.map(creditedOf))
    expect(credited.filter((amount) => amount > 0)).toEqual([BONUS])
  })

  it('neither rewards an inviter twice nor gives the invited one more', async () => {
    const inviter = await registerWith('inviter@example.org')
    const { aff_code } = await app.test.deps.db
      .selectFrom('users')
      .select('aff_code')
      .where('username', '=', inviter.username)
      .executeTakeFirstOrThrow()
    const first = await registerWith('invited@example.org', aff_code ?? '')
    await removeAccount(first)
    const second = await registerWith('invited@example.org', aff_code ?? '')

    expect([await creditedOf(first), await creditedOf(second)]).toEqual([BONUS + INVITEE, 0])
    const row = await app.test.deps.db
      .selectFrom('users')
      .select(['aff_quota', 'aff_count'])
      .where('username', '=', inviter.username)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ aff_quota: REWARD, aff_count: 1 })
  })
})

describe('the bonus of an identity at a provider', () => {
  it('is not paid again after the account gave the identity up', async () => {
    const first = await signInAtProvider('paula')
    // Without a password the identity is the only way in.
    await app.test.deps.db.updateTable('users').set({ password_hash: 'x', email: '' }).where('username', '=', first.username).execute()
    const fresh = await signInAtProvider('paula')
    await unbind(fresh, 'oidc')
    const second = await signInAtProvider('paula')

    expect(second.username).not.toBe(first.username)
    expect([await creditedOf(first), await creditedOf(second)]).toEqual([BONUS, 0])
  })

  it('is not paid to a mailbox that the provider proved before', async () => {
    const first = await signInAtProvider('quinn')
    await removeAccount(first)

    expect(await creditedOf(await registerWith('quinn@oidc.example'))).toBe(0)
  })
})
