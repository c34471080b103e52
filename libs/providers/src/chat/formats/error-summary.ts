import { isObject, textAt } from '../../json.ts'
import { textOf } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'

const MAX_TEXT = 300
const MAX_DEPTH = 3
const MAX_PARTS = 3

/** Fields in which vendors, frameworks and proxies put the text of an error, most specific first. */
const TEXT_FIELDS = ['message', 'msg', 'err', 'error_msg', 'error_message', 'Message', 'detail', 'title', 'reason', 'description']
/** Fields that hold the error or a list of errors. */
const NESTED_FIELDS = ['error', 'errors', 'detail', 'message', 'header', 'response', 'base_resp']

type BodyOfFailure = {
  readonly status: number
  readonly parsed: unknown
  readonly text: string
  /** Removes keys that the vendor quotes. */
  readonly mask: (text: string) => string
}

/** The failure of an answer without an error object of the format. An error on a success status counts as 502. */
export function failureWithoutObject({ status, parsed, text, mask }: BodyOfFailure): UpstreamFailure {
  const real = status >= 200 && status < 300 ? 502 : status
  return {
    kind: real === 429 ? 'limited' : 'refused',
    status: real,
    type: 'upstream_error',
    code: errors['upstream.status'].api_code,
    param: String(status),
    message: mask(describeErrorBody(real, parsed, text)),
  }
}

function describeErrorBody(status: number, parsed: unknown, text: string): string {
  const plain = textOf('upstream.status', 'en', { status })
  const own = textOfErrorBody(parsed)
  if (own !== undefined) return own
  const summary = parsed === undefined ? summarizeErrorText(text) : undefined
  return summary === undefined ? plain : `${plain}: ${summary}`
}

/** The text of an error body in JSON of any shape; undefined if it has none. */
function textOfErrorBody(parsed: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (typeof parsed === 'string') return depth > 0 && parsed.trim() !== '' ? parsed : undefined
  if (Array.isArray(parsed)) return joined(parsed.slice(0, MAX_PARTS).map((item) => textOfItem(item, depth + 1)))
  if (!isObject(parsed)) return undefined
  const error = textAt(parsed, 'error')
  if (error !== undefined && error !== '') return error
  const own = TEXT_FIELDS.map((name) => textAt(parsed, name)).find((text) => text !== undefined && text !== '')
  if (own !== undefined) return own
  const nested = NESTED_FIELDS.map((name) => textOfErrorBody(parsed[name], depth + 1))
  return nested.find((text) => text !== undefined) ?? textAt(parsed, 'status_msg')
}

/** FastAPI names the place of each fault: https://fastapi.tiangolo.com/tutorial/handling-errors/ */
function textOfItem(item: unknown, depth: number): string | undefined {
  const text = textOfErrorBody(item, depth)
  const place: unknown = isObject(item) ? item['loc'] : undefined
  return text === undefined || !Array.isArray(place) ? text : `${place.join('.')}: ${text}`
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const found = texts.filter((text) => text !== undefined)
  return found.length === 0 ? undefined : found.join('; ')
}

/** One line of an error body that is not JSON: the title of a page, otherwise the text. Addresses are masked. */
function summarizeErrorText(body: string): string | undefined {
  const text = body.slice(0, MAX_TEXT * 40)
  const line = maskAddresses(oneLine(/<[a-z!/]/i.test(text) ? textOfPage(text) : text).slice(0, 2 * MAX_TEXT))
  if (line === '') return undefined
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line
}

function textOfPage(page: string): string {
  const titled = /<title[^>]*>([^<]+)/i.exec(page) ?? /<h1[^>]*>([^<]+)/i.exec(page)
  return titled?.[1] ?? page.replaceAll(/<(script|style)[^>]*>[^]*?(?:<\/\1>|$)/gi, ' ').replaceAll(/<[^>]*(?:>|$)/g, ' ')
}

function oneLine(text: string): string {
  return text
    .replaceAll(/&(?:nbsp|amp|lt|gt|quot|#\d+);/g, ' ')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
}

/** Addresses inside a vendor's or a proxy's network. */
function maskAddresses(text: string): string {
  return text
    .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, '***')
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '***')
    .replaceAll(/\[?[\da-f]{0,4}(?::[\da-f]{0,4}){3,7}\]?(?::\d+)?/gi, '***')
    .replaceAll(/\b[\w-]+(?:\.[\w-]+)*\.(?:internal|local|svc|lan|intranet|corp)\b(?:\.[\w-]+)*(?::\d+)?/gi, '***')
}
