import { OutboundError } from './errors.ts'
import { openStream, type OpenedStream, type StreamLimits } from './open-stream.ts'
import type { Outbound } from './outbound.ts'
import type { OutboundRequest } from './request.ts'

export type Media = { readonly media_type: string; readonly bytes: Buffer }

export type MediaLimits = {
  readonly maxBytes: number
  /** For the whole chain of redirects. */
  readonly timeoutMs: number
  readonly maxRedirects: number
}

/** How one fetch is bounded beside its limits. */
export type MediaCall = Pick<OutboundRequest, 'signal' | 'take' | 'owner'>

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Fetches an image or a document from an untrusted address. Requires an outbound whose guard allows no private range; every redirect
 * opens a new connection that is checked again after DNS. Accepts only http and https without credentials, and only media types that
 * models read. Throws OutboundError, whose message may contain addresses and is for logs only.
 */
export async function fetchMedia(
  outbound: Pick<Outbound, 'request'>,
  address: string,
  { limits, ...call }: MediaCall & { readonly limits: MediaLimits },
): Promise<Media> {
  const deadline = performance.now() + limits.timeoutMs
  let url = parseAddress(address)
  for (let hop = 0; hop <= limits.maxRedirects; hop += 1) {
    const timeoutMs = Math.max(1, deadline - performance.now())
    const answer = await outbound.request({
      url: url.href,
      timeoutMs,
      maxBytes: limits.maxBytes,
      headers: { accept: '*/*' },
      poolKey: 'media',
      ...call,
    })
    const { location } = answer.headers
    if (!REDIRECTS.has(answer.status) || location === undefined) {
      if (answer.status !== 200) throw new OutboundError('malformed', `status ${answer.status}`)
      return { media_type: typeOf(String(answer.headers['content-type'] ?? ''), answer.body), bytes: answer.body }
    }
    url = parseAddress(location, url)
  }
  throw new OutboundError('malformed', `more than ${limits.maxRedirects} redirects`)
}

type StreamInput = {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly limits: StreamLimits & Pick<MediaLimits, 'maxRedirects'>
}

/** The same as a stream: the caller judges status and type. Throws OutboundError until the status; later ones destroy the body. */
export async function openMedia(outbound: Pick<Outbound, 'dispatch'>, { address, headers, limits }: StreamInput): Promise<OpenedStream> {
  let url = parseAddress(address)
  for (let hop = 0; hop <= limits.maxRedirects; hop += 1) {
    const opened = await openStream(outbound, { url: url.href, headers: { accept: '*/*', ...headers }, poolKey: 'media' }, limits)
    const { location } = opened.headers
    if (!REDIRECTS.has(opened.status) || location === undefined) return opened
    opened.body.destroy()
    url = parseAddress(location, url)
  }
  throw new OutboundError('malformed', `more than ${limits.maxRedirects} redirects`)
}

type ProxyInput = {
  /** The proxy's own address. */
  readonly url: string
  readonly key: string
  /** Plain http addresses are allowed. */
  readonly allows_http: boolean
  readonly address: string
  readonly limits: Pick<MediaLimits, 'maxBytes' | 'timeoutMs'>
  readonly call?: MediaCall
}

/** Fetches through a media proxy: posts the address and returns the proxy's response body. Throws OutboundError. */
export async function fetchMediaThroughProxy(outbound: Pick<Outbound, 'request'>, input: ProxyInput): Promise<Media> {
  const answer = await outbound.request({ ...proxyCall(input, {}), ...input.limits, ...input.call })
  if (answer.status !== 200) throw new OutboundError('malformed', `status ${answer.status} of the proxy`)
  return { media_type: typeOf(String(answer.headers['content-type'] ?? ''), answer.body), bytes: answer.body }
}

/** The same as a stream. */
export function openMediaThroughProxy(
  outbound: Pick<Outbound, 'dispatch'>,
  input: Omit<ProxyInput, 'limits' | 'call'> & Pick<StreamInput, 'headers' | 'limits'>,
): Promise<OpenedStream> {
  return openStream(outbound, proxyCall(input, input.headers), input.limits)
}

/** Request for the proxy; throws for an address that it must not fetch. */
function proxyCall({ url, key, allows_http, address }: Omit<ProxyInput, 'limits' | 'call'>, headers: Readonly<Record<string, string>>) {
  const target = parseAddress(address)
  if (target.protocol !== 'https:' && !allows_http) throw new OutboundError('invalid', 'the proxy accepts https addresses only')
  const body = JSON.stringify({ url: target.href, key, method: 'GET', headers, body: null })
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, body, poolKey: 'media-proxy' } as const
}

function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new OutboundError('invalid', 'not an http address')
  if (url.username !== '' || url.password !== '') throw new OutboundError('invalid', 'an address with credentials')
  return url
}

const READABLE = /^(?:image|audio|video)\/[\w.+-]+$|^application\/pdf$|^text\/plain$/

/** Magic numbers of types that servers often label `application/octet-stream`: https://www.iana.org/assignments/media-types */
const MAGIC: readonly (readonly [number, string, string])[] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF8', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [0, '%PDF-', 'application/pdf'],
  [4, 'ftypisom', 'video/mp4'],
  [4, 'ftypmp4', 'video/mp4'],
]

function typeOf(content_type: string, bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 16)
  const known = MAGIC.find(([offset, text]) => head.startsWith(text, offset))
  if (known !== undefined) return known[2]
  const named = (content_type.split(';')[0] ?? '').trim().toLowerCase()
  if (!READABLE.test(named)) throw new OutboundError('malformed', 'neither an image nor a document')
  return named
}
