import { OutboundError } from './errors.ts'
import type { Outbound } from './outbound.ts'

export type Media = { readonly media_type: string; readonly bytes: Buffer }

export type MediaLimits = {
  readonly maxBytes: number
  /** For the whole chain of redirects. */
  readonly timeoutMs: number
  readonly maxRedirects: number
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Fetches an image or a document from an address that a user wrote. Give it an outbound whose guard allows nothing private: each
 * hop of a redirect is a new connection and judged again, after DNS. Only http and https, no credentials in the address, no other
 * type than a model can read. Throws OutboundError; its text may name addresses and is for logs.
 */
export async function fetchMedia(outbound: Pick<Outbound, 'request'>, address: string, limits: MediaLimits): Promise<Media> {
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

type Through = {
  /** The proxy's own address. */
  readonly url: string
  readonly key: string
  /** It may be asked for addresses without TLS. */
  readonly allows_http: boolean
  readonly address: string
  readonly limits: Pick<MediaLimits, 'maxBytes' | 'timeoutMs'>
}

/** The same by way of a proxy that fetches for us: it is posted what to get and answers with it (relay-facts 5.4). */
export async function fetchMediaThrough(outbound: Pick<Outbound, 'request'>, through: Through): Promise<Media> {
  const { url, key, allows_http, address, limits } = through
  const wanted = parseAddress(address)
  if (wanted.protocol !== 'https:' && !allows_http) throw new OutboundError('invalid', 'the proxy is asked for https only')
  const body = JSON.stringify({ url: wanted.href, key, method: 'GET', headers: {}, body: null })
  const headers = { 'content-type': 'application/json' }
  const answer = await outbound.request({ method: 'POST', url, headers, body, ...limits, poolKey: 'media-proxy' })
  if (answer.status !== 200) throw new OutboundError('malformed', `status ${answer.status} of the proxy`)
  return { media_type: typeOf(String(answer.headers['content-type'] ?? ''), answer.body), bytes: answer.body }
}

function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new OutboundError('invalid', 'not an http address')
  if (url.username !== '' || url.password !== '') throw new OutboundError('invalid', 'an address with credentials')
  return url
}

const READABLE = /^(?:image|audio|video)\/[\w.+-]+$|^application\/pdf$|^text\/plain$/

/** First bytes of the types that servers often name `application/octet-stream`: https://www.iana.org/assignments/media-types */
const MAGIC: readonly (readonly [number, string, string])[] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF8', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [0, '%PDF-', 'application/pdf'],
]

function typeOf(content_type: string, bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 16)
  const known = MAGIC.find(([offset, text]) => head.startsWith(text, offset))
  if (known !== undefined) return known[2]
  const named = (content_type.split(';')[0] ?? '').trim().toLowerCase()
  if (!READABLE.test(named)) throw new OutboundError('malformed', 'neither an image nor a document')
  return named
}
