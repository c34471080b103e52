import { codeOfMessage } from '../error-codes.ts'
import type { RawAnswer } from '../raw-call.ts'
import type { Secrets } from '../secrets.ts'
import type { ModelCase } from './cases.ts'
import { baseOf } from './encode-case.ts'
import type { VendorRecord } from './fuzz-vendor.ts'
import type { BaseCall } from './routes.ts'

export type Observed = {
  readonly one: ModelCase
  readonly answer: RawAnswer
  readonly vendor: VendorRecord
  readonly secrets: Secrets
  /** The body is over the limit of a request. */
  readonly isTooLarge: boolean
}

/** Changes of the sending after which a client cannot expect a whole answer. */
const BROKEN_SENDING: ReadonlySet<ModelCase['sending']> = new Set([
  'cut',
  'leave',
  'short-length',
  'long-length',
  'bad-length',
  'both-framings',
])

/** The faults of an answer. */
export function checkAnswer({ one, answer, vendor, secrets, isTooLarge }: Observed): string[] {
  const base = baseOf(one)
  const text = answer.body.toString()
  // A changed path may be one of the control plane, whose answers the other part of the run checks.
  const isModelRoute = one.path.kind === 'right' || (one.path.kind !== 'raw' && base.path.startsWith('/v1'))
  const found: string[] = []
  const leaked = secrets.find(text) ?? secrets.find([...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n'))
  if (leaked !== undefined) found.push(`the answer contains a secret: ${leaked}`)
  const isSendingBroken = BROKEN_SENDING.has(one.sending) || one.headers.some(([name]) => name === 'Transfer-Encoding' || name === 'Expect')
  // The relay answers a body over its limit before it has read it, and stops reading after a while.
  if (answer.status === 0) return isSendingBroken || isTooLarge ? found : [...found, `no answer (${answer.ending})`]
  if (answer.ending === 'timeout')
    return base.waits === true && answer.status === 200 ? found : [...found, 'the answer did not end in time']
  if (answer.status >= 500) found.push(...checkServerError(base, { answer, vendor, text }))
  if (answer.status >= 400 && text !== '' && isModelRoute) found.push(...checkErrorBody(base, { answer, text, one }))
  if (answer.status >= 400 && text === '' && !isRefusedByParser(answer)) found.push(`status ${answer.status} without a body`)
  if (answer.status < 300 && isModelRoute) found.push(...checkSuccess({ base, one, answer, vendor, text }))
  if (answer.status >= 300 && answer.status < 400 && isModelRoute) found.push(`status ${answer.status} to a client`)
  return found
}

/** Node's parser refuses a broken head itself: no request reaches the relay. */
function isRefusedByParser({ status, headers }: RawAnswer): boolean {
  return (status === 400 || status === 408 || status === 413 || status === 417 || status === 431) && !headers.has('x-oneapi-request-id')
}

type Failed = { readonly answer: RawAnswer; readonly vendor: VendorRecord; readonly text: string }

const UPSTREAM_FAULTS: ReadonlySet<string> = new Set([
  'upstream.network',
  'upstream.malformed',
  'upstream.cut',
  'upstream.status',
  'upstream.auth',
])

/**
 * A server error is legitimate only if it names another's fault: 501 for a route of the API that is not served; the vendor's own status;
 * 502 after a vendor answered wrongly; 504 after it did not answer; 503 if no channel serves the model.
 */
function checkServerError(base: BaseCall, { answer, vendor, text }: Failed): string[] {
  const code = codeOfMessage(messageOf(text))
  if (answer.status === 501 && code === 'route.unimplemented') return []
  if (vendor.statuses.includes(answer.status) && answer.status >= 500) return []
  // An error event of the vendor has a status of its own and the vendor's text, which is none of ours.
  if (vendor.isFaulty && code === undefined) return []
  if (answer.status === 502 && vendor.isFaulty && code !== undefined && UPSTREAM_FAULTS.has(code)) return []
  if (answer.status === 504 && vendor.isFaulty && code === 'upstream.timeout') return []
  return [`${base.route}: status ${answer.status}, ${code ?? 'unknown error'}: ${text.slice(0, 200)}`]
}

function messageOf(text: string): string {
  const body = parse(text)
  const whole: unknown = Array.isArray(body) ? body[0] : body
  const error = fieldOf(whole, 'error')
  const texts = [fieldOf(error, 'message'), error, fieldOf(whole, 'message'), fieldOf(whole, 'description')]
  return texts.find((one) => typeof one === 'string') ?? ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The callers report a text that is not JSON.
    return undefined
  }
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined // an object
}

/** `/v1/messages` and unknown paths choose their format by the path, so a changed path may be answered in another one. */
function checkErrorBody(base: BaseCall, { answer, text, one }: { answer: RawAnswer; text: string; one: ModelCase }): string[] {
  const type = answer.headers.get('content-type') ?? ''
  const body = parse(text)
  if (!type.startsWith('application/json')) return [`${base.route}: an error with content type ${type}`]
  const problem = findErrorProblem(base.format, body)
  if (problem === undefined) return []
  const isOther =
    one.path.kind !== 'right' ||
    base.route === 'lists' ||
    one.headers.some(([name]) => name.startsWith('anthropic') || name.startsWith('x-'))
  if (isOther && (['openai', 'anthropic', 'gemini'] as const).some((format) => findErrorProblem(format, body) === undefined)) return []
  return [`${base.route}: ${problem}: ${text.slice(0, 200)}`]
}

function findErrorProblem(format: BaseCall['format'], body: unknown): string | undefined {
  if (format === 'other') return typeof body === 'object' && body !== null ? undefined : 'the error is no object'
  const error = fieldOf(format === 'gemini' && Array.isArray(body) ? body[0] : body, 'error')
  if (typeof fieldOf(error, 'message') !== 'string') return 'the error has no message'
  if (format === 'openai') {
    const code = fieldOf(error, 'code')
    if (typeof fieldOf(error, 'type') !== 'string') return 'the error has no type'
    return code === null || typeof code === 'string' || typeof code === 'number' ? undefined : 'the error has no code'
  }
  if (format === 'anthropic')
    return fieldOf(body, 'type') === 'error' && typeof fieldOf(error, 'type') === 'string'
      ? undefined
      : 'the error is not in the Anthropic format'
  return typeof fieldOf(error, 'code') === 'number' && typeof fieldOf(error, 'status') === 'string'
    ? undefined
    : 'the error is not in the Gemini format'
}

type Succeeded = {
  readonly base: BaseCall
  readonly one: ModelCase
  readonly answer: RawAnswer
  readonly vendor: VendorRecord
  readonly text: string
}

function checkSuccess({ base, one, answer, vendor, text }: Succeeded): string[] {
  if (answer.status !== 200) return answer.status === 204 && base.method === 'GET' ? [] : [`${base.route}: status ${answer.status}`]
  const type = answer.headers.get('content-type') ?? ''
  if (answer.ending === 'cut') return vendor.isFaulty || BROKEN_SENDING.has(one.sending) ? [] : [`${base.route}: the answer was cut`]
  if (type.startsWith('text/html')) return [`${base.route}: the answer is HTML`]
  // A stream of the vendor's own format passes unchanged; only its events up to 3 KB are read whole.
  if (base.answers === 'json-array' && vendor.isFaulty) return []
  if (type.startsWith('application/json'))
    return isJson(answer.body) ? [] : [`${base.route}: the answer is not JSON: ${text.slice(0, 200)}`]
  if (type.startsWith('text/event-stream')) return vendor.isFaulty ? [] : checkEvents(base, text)
  return []
}

function isJson(body: Buffer): boolean {
  return body.length > 0 && parse(body.toString()) !== undefined
}

function checkEvents({ route }: BaseCall, text: string): string[] {
  const wrong = text
    .split(/\r?\n/)
    .filter((line) => line !== '' && line !== 'data: [DONE]' && !/^(?:event|id|retry): |^:/.test(line))
    .find((line) => !line.startsWith('data:') || parse(line.slice(5)) === undefined)
  return wrong === undefined ? [] : [`${route}: not an event: ${wrong.slice(0, 200)}`]
}
