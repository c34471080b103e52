import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '@tollgate/providers/json'
import { renderOpenAiError, renderOpenAiStreamError, type OpenAiError } from '@tollgate/providers/dialects/openai-chat/errors'
import type { ClientError } from '../../client-error.ts'
import type { Surface } from '../surface.ts'

const SUB_PROTOCOL_KEY = 'openai-insecure-api-key.'

/** The OpenAI routes under `/v1`. */
export const openAiSurface: Surface = {
  name: 'openai',
  readCredential,
  renderError: (error) => JSON.stringify(renderOpenAiError(toOpenAi(error))),
  renderStreamError: (error) => renderOpenAiStreamError(toOpenAi(error)),
}

/** Places and order of relay-facts 2.1. */
function readCredential(headers: IncomingHttpHeaders): string {
  const protocols = headers['sec-websocket-protocol']
  if (protocols !== undefined && protocols !== '') return readSubProtocol(protocols)
  const plain = withoutBearer(headers.authorization ?? '')
  if (plain !== '' && plain !== 'midjourney-proxy') return plain
  const secret = headers['mj-api-secret']
  return withoutBearer((Array.isArray(secret) ? secret[0] : secret) ?? '')
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

function toOpenAi({ message, type, param, code, upstream_body }: ClientError): OpenAiError {
  const own = { message, type, param, code }
  return isObject(upstream_body) ? { ...upstream_body, ...own, code: upstreamCode(upstream_body) ?? code } : own
}

function upstreamCode(body: object): string | number | undefined {
  const code: unknown = 'code' in body ? body.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}
