import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Maximum clock difference between two services. */
const LEEWAY_S = 30

type SignedCall = {
  readonly method: string
  /** Path with query, as on the request line. */
  readonly path: string
  readonly body: Uint8Array | string
  readonly nowMs: number
}

/** The `X-Internal-Auth` header of a call between our services. `secrets`: the first one signs. */
export function signInternal(call: SignedCall, secrets: readonly string[]): string {
  const [secret] = secrets
  if (secret === undefined) throw new Error('internal calls need a secret')
  const unix = Math.floor(call.nowMs / 1000)
  const nonce = randomBytes(12).toString('hex')
  return `v1:${unix}:${nonce}:${macOf({ ...call, unix: String(unix), nonce }, secret)}`
}

/** True if one of the secrets signed exactly this call, at most 30 seconds ago. */
export function verifyInternal(header: string | undefined, call: SignedCall, secrets: readonly string[]): boolean {
  const match = /^v1:(\d{1,12}):([0-9a-f]{24}):([0-9a-f]{64})$/.exec(header ?? '')
  if (match === null) return false
  const [, unix = '', nonce = '', mac = ''] = match
  if (Math.abs(Number(unix) - call.nowMs / 1000) > LEEWAY_S) return false
  const given = Buffer.from(mac, 'hex')
  return secrets.some((secret) => timingSafeEqual(given, Buffer.from(macOf({ ...call, unix, nonce }, secret), 'hex')))
}

/** The nonce of a header that `verifyInternal` accepted. The server accepts each nonce once, which prevents replays. */
export function nonceOf(header: string | undefined): string {
  return header?.split(':')[2] ?? ''
}

/** Carries what the relay saw of the client when it forwards a console call to the control plane. */
export const FORWARDED_CLIENT_HEADER = 'X-Internal-Client'

export type ForwardedClient = {
  /** Empty when it cannot be read. */
  readonly ip: string
  /** A program on the relay's machine made the call without a proxy. */
  readonly is_direct: boolean
}
type ForwardedCall = { readonly method: string; readonly path: string; readonly nowMs: number }

/** Signs the client for one forwarded call. The signature does not cover the body, so that the body can stream. */
export function signForwardedClient(call: ForwardedCall & ForwardedClient, secrets: readonly string[]): string {
  const { ip, is_direct, ...rest } = call
  const client = `${is_direct ? 'direct' : 'remote'}:${ip}`
  return `${signInternal({ ...rest, body: `client ${client}` }, secrets)}:${client}`
}

/** The client that a relay signed; undefined when the header is absent, expired or not signed with our secret. */
export function readForwardedClient(
  header: string | undefined,
  call: ForwardedCall,
  secrets: readonly string[],
): ForwardedClient | undefined {
  const match = /^(v1:\d+:[0-9a-f]+:[0-9a-f]+):((direct|remote):(.*))$/.exec(header ?? '')
  if (match === null) return undefined
  const [, signature, client = '', way, ip = ''] = match
  return verifyInternal(signature, { ...call, body: `client ${client}` }, secrets) ? { ip, is_direct: way === 'direct' } : undefined
}

type MacInput = Omit<SignedCall, 'nowMs'> & { readonly unix: string; readonly nonce: string }

function macOf({ method, path, body, unix, nonce }: MacInput, secret: string): string {
  const digest = createHash('sha256').update(body).digest('hex')
  return createHmac('sha256', secret).update([method.toUpperCase(), path, unix, nonce, digest].join('\n')).digest('hex')
}
