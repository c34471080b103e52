import { createHash } from 'node:crypto'
import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { OutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import { isObject, textAt } from '@tollgate/providers/json'
import { importPKCS8, SignJWT } from 'jose'
import type { PreparedCall } from './call.ts'
import { toUpstreamFailure } from './failure.ts'
import { signTencent } from './tencent-signature.ts'
import { signedXunfeiPath } from './xunfei-signature.ts'

/** Credentials that are computed per call (AWS, iFlytek, Tencent) or fetched for an hour (Google) or a month (Baidu). */
export type Signing = 'google' | 'aws' | 'aws-mantle' | 'baidu' | 'tencent' | 'xunfei'

export type Signed = { readonly kind: 'ok'; readonly call: PreparedCall } | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

export type Signer = { sign(signing: Signing, call: PreparedCall, key: string): Promise<Signed> }

/** Adds the credential to a prepared call. Access tokens are cached until shortly before they expire; concurrent calls share one fetch. */
export function createSigner({ outbound, now }: { readonly outbound: Pick<Outbound, 'request'>; readonly now: () => number }): Signer {
  const google = createTokenCache(now, (input) => fetchGoogleToken(outbound, input))
  const baidu = createTokenCache(now, (input) => fetchBaiduToken(outbound, input))
  const add = async (signing: Signing, call: PreparedCall, key: string): Promise<PreparedCall> => {
    if (signing === 'baidu') {
      const token = encodeURIComponent(await baidu.get(key, call))
      return { ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}access_token=${token}` }
    }
    if (signing === 'xunfei') return { ...call, path: signedXunfeiPath(call, xunfeiSecretsOf(key), now()) }
    const added = signing === 'google' ? { authorization: `Bearer ${await google.get(key, call)}` } : await sign(signing, call, key, now())
    return { ...call, headers: [...call.headers, ...Object.entries(added).flat()] }
  }
  return {
    sign: async (signing, call, key) => {
      try {
        return { kind: 'ok', call: await add(signing, call, key) }
      } catch (error) {
        return { kind: 'failed', failure: toFailure(error) }
      }
    },
  }
}

/** The key is malformed, or the vendor rejected it. */
class BadCredential extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'BadCredential'
    this.status = status
  }
}

function toFailure(error: unknown): UpstreamFailure {
  if (error instanceof OutboundError) return toUpstreamFailure(error)
  // A key parser's message may quote the key, so only our own messages are passed on.
  const message = error instanceof BadCredential ? error.message : "the channel's key is not of the form this vendor needs"
  const status = error instanceof BadCredential ? error.status : 401
  return { kind: 'refused', status, type: 'authentication_error', code: 'invalid_api_key', message }
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 300_000
const MAX_TOKENS = 500

type Token = { readonly text: string; readonly until: number }

type Destination = Pick<PreparedCall, 'origin' | 'proxy'>
type TokenInput = Destination & { readonly key: string; readonly now_s: number }

/** Access tokens by key. A token is fetched once, however many calls wait for it. */
function createTokenCache(now: () => number, fetchToken: (input: TokenInput) => Promise<Token>) {
  const known = new BoundedMap<Promise<Token>>(MAX_TOKENS)
  const get = async (key: string, { origin, proxy }: Destination): Promise<string> => {
    const id = createHash('sha256').update(key).digest('base64')
    const found = known.get(id)
    if (found !== undefined) {
      const token = await found
      if (token.until - RENEW_BEFORE_MS > now()) return token.text
      if (known.get(id) !== found) return get(key, { origin, proxy })
    }
    const pending = fetchToken({ key, origin, proxy, now_s: Math.floor(now() / 1000) })
    known.set(id, pending)
    try {
      return (await pending).text
    } catch (error) {
      if (known.get(id) === pending) known.delete(id)
      throw error
    }
  }
  return { get }
}

/** Service account → access token: https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
async function fetchGoogleToken(outbound: Pick<Outbound, 'request'>, { key, proxy, now_s }: TokenInput): Promise<Token> {
  const account: unknown = JSON.parse(key)
  const email = textAt(account, 'client_email')
  const pem = textAt(account, 'private_key')
  if (email === undefined || pem === undefined) throw new BadCredential('the service account has no client_email or no private_key', 401)
  const url = textAt(account, 'token_uri') ?? TOKEN_URL
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience(url)
    .setIssuedAt(now_s)
    .setExpirationTime(now_s + 3600)
    .sign(await importPKCS8(pem, 'RS256'))
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await outbound.request({
    method: 'POST',
    url,
    headers,
    body,
    timeoutMs: 10_000,
    maxBytes: 64 * 1024,
    proxy,
    poolKey: 'google-token',
  })
  const granted: unknown = answer.status === 200 ? JSON.parse(answer.body.toString()) : undefined
  const text = textAt(granted, 'access_token')
  if (text === undefined || !isObject(granted))
    throw new BadCredential('Google gave no access token for the service account', answer.status)
  const seconds = Number(granted['expires_in'])
  return { text, until: (now_s + (seconds > 0 ? seconds : 3600)) * 1000 }
}

/** `APIKey|SecretKey` → access token, at the host of the call: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5 */
async function fetchBaiduToken(outbound: Pick<Outbound, 'request'>, { key, origin, proxy, now_s }: TokenInput): Promise<Token> {
  const [client_id = '', client_secret = ''] = key.split('|').map((part) => part.trim())
  const query = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString()
  const answer = await outbound.request({
    method: 'POST',
    url: `${origin}/oauth/2.0/token?${query}`,
    headers: { accept: 'application/json' },
    timeoutMs: 10_000,
    maxBytes: 64 * 1024,
    proxy,
    poolKey: 'baidu-token',
  })
  const granted: unknown = answer.status === 200 ? JSON.parse(answer.body.toString()) : undefined
  const text = textAt(granted, 'access_token')
  if (text === undefined || !isObject(granted)) throw new BadCredential('Baidu gave no access token for the key', 401)
  const seconds = Number(granted['expires_in'])
  return { text, until: (now_s + (seconds > 0 ? seconds : 3600)) * 1000 }
}

type Computed = keyof typeof AWS_SERVICES | 'tencent'

async function sign(signing: Computed, call: PreparedCall, key: string, now_ms: number): Promise<Record<string, string>> {
  if (signing !== 'tencent') return await signAws(call, key, { service: AWS_SERVICES[signing], now_ms })
  const [appId, id, secret, ...rest] = key.split('|').map((part) => part.trim())
  if (!appId || !id || !secret || rest.length > 0) throw new BadCredential('the key must be AppId|SecretId|SecretKey', 401)
  return signTencent(call, { id, key: secret }, now_ms)
}

function xunfeiSecretsOf(key: string): { readonly secret: string; readonly name: string } {
  const [appId, secret, name, ...rest] = key.split('|').map((part) => part.trim())
  if (!appId || !secret || !name || rest.length > 0) throw new BadCredential('the key must be APPID|APISecret|APIKey', 401)
  return { secret, name }
}

/** The names that a signature is for; Mantle's as in @anthropic-ai/bedrock-sdk 1.1.3. */
const AWS_SERVICES = { aws: 'bedrock', 'aws-mantle': 'bedrock-mantle' } as const

/** `Ak|Sk|Region` signs the call; `key|region` is a Bedrock API key: https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html */
async function signAws(
  call: PreparedCall,
  key: string,
  { service, now_ms }: { readonly service: string; readonly now_ms: number },
): Promise<Record<string, string>> {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', region = ''] = parts
  if (parts.length === 2) return { authorization: `Bearer ${first}` }
  if (parts.length !== 3) throw new BadCredential('the key must be Ak|Sk|Region', 401)
  const { host } = new URL(call.origin)
  const signer = new SignatureV4({
    service,
    region,
    credentials: { accessKeyId: first, secretAccessKey: second },
    sha256: Sha256,
  })
  const signed = await signer.sign(
    {
      method: call.method,
      protocol: 'https:',
      hostname: host,
      path: call.path,
      query: {},
      headers: { host, 'content-type': 'application/json' },
      body: call.body,
    },
    { signingDate: new Date(now_ms) },
  )
  const { host: _host, 'content-type': _type, ...added } = signed.headers
  return added
}
