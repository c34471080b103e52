import type { IncomingHttpHeaders } from 'node:http'

const SUB_PROTOCOL_KEY = 'openai-insecure-api-key.'

/** The credential of an OpenAI route: WebSocket sub-protocol, Authorization, then `mj-api-secret`. */
export function readOpenAiCredential(headers: IncomingHttpHeaders): string {
  const protocols = headers['sec-websocket-protocol']
  if (protocols !== undefined && protocols !== '') return readSubProtocol(protocols)
  const plain = withoutBearer(headers.authorization ?? '')
  if (plain !== '' && plain !== 'midjourney-proxy') return plain
  return withoutBearer(readHeader(headers, 'mj-api-secret'))
}

/** One value of a header; empty when it is absent. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function readSubProtocol(text: string): string {
  const named = text
    .split(',')
    .map((part) => part.trim())
    .find((part) => part.startsWith(SUB_PROTOCOL_KEY))
  return named === undefined ? text.trim() : named.slice(SUB_PROTOCOL_KEY.length)
}

function withoutBearer(text: string): string {
  return text.replace(/^bearer(?: +|$)/i, '').trim()
}
