import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { queryOf } from '../transport/query.ts'

const SUB_PROTOCOL_KEY = 'openai-insecure-api-key.'

type Head = Pick<IncomingMessage, 'headers' | 'url'>

/**
 * The places of a credential, on every route and in order of precedence: WebSocket sub-protocol, `Authorization`, `x-api-key`,
 * `api-key`, `x-goog-api-key`, the parameter `key`, `mj-api-secret`. `Authorization` is first because SDKs send it for the request at
 * hand, while key headers are often left in a client's settings.
 */
const PLACES: readonly ((head: Head) => string)[] = [
  ({ headers }) => readSubProtocol(headers),
  ({ headers }) => readAuthorization(headers),
  ({ headers }) => readHeader(headers, 'x-api-key').trim(),
  ({ headers }) => readHeader(headers, 'api-key').trim(),
  ({ headers }) => readHeader(headers, 'x-goog-api-key').trim(),
  ({ url = '' }) => (url.includes('?') ? (new URLSearchParams(queryOf(url)).get('key') ?? '').trim() : ''),
  ({ headers }) => withoutBearer(readHeader(headers, 'mj-api-secret')),
  ({ headers }) => readBareSubProtocol(headers),
]

/** The credential in the first place that has one; empty when there is none. */
export function readCredential(head: Head): string {
  for (const read of PLACES) {
    const found = read(head)
    if (found !== '') return found
  }
  return ''
}

/** The credentials in all other places, for a request whose first one is not accepted. */
export function otherCredentials(head: Head, first: string): string[] {
  return [...new Set(PLACES.map((read) => read(head)))].filter((found) => found !== '' && found !== first)
}

/** One value of a header; empty when it is absent. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** The key among the offered sub-protocols: https://platform.openai.com/docs/guides/realtime-websocket */
function readSubProtocol(headers: IncomingHttpHeaders): string {
  const offered = headers['sec-websocket-protocol']
  if (offered === undefined) return ''
  const named = offered.split(',').find((part) => part.trim().startsWith(SUB_PROTOCOL_KEY))
  return named === undefined ? '' : named.trim().slice(SUB_PROTOCOL_KEY.length)
}

/** A client may offer its key as the only sub-protocol. */
function readBareSubProtocol(headers: IncomingHttpHeaders): string {
  const offered = headers['sec-websocket-protocol']?.trim() ?? ''
  return /^[\w-]+$/.test(offered) && offered !== 'realtime' ? offered : ''
}

function readAuthorization({ authorization = '' }: IncomingHttpHeaders): string {
  const plain = withoutBearer(authorization)
  return plain === 'midjourney-proxy' ? '' : plain
}

function withoutBearer(text: string): string {
  return text.replace(/^bearer(?: +|$)/i, '').trim()
}
