import { randomUUID } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { parseJsonObject, textAt, type JsonObject } from '@tollgate/providers/json'
import type { ClientError } from '../request/client-error.ts'

/** How long events that only may lead to a response pass before another hold is tried. */
const PAUSE_MS = 1000

/** True if time heals a refusal: a limit of the account, a ledger that is unavailable for a moment, or money that running requests hold. */
export const isPassing = (error: unknown): boolean =>
  error instanceof AppError && (/^(?:rate|ledger)\./.test(error.code) || HELD.has(error.code))

const HELD: ReadonlySet<string> = new Set<AppError['code']>([
  'budget.held',
  'budget.restarting',
  'quota.user-held',
  'quota.user-held-some',
  'quota.token-held',
  'quota.token-held-some',
])

/**
 * Responses of a session that a passing limit refuses. One is a failed response to the client, whose session goes on, as OpenAI answers it:
 * https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
export class LimitedResponses {
  readonly #errors = new Map<string, ClientError>()
  #paused_until = 0

  pause(now: number): void {
    this.#paused_until = now + PAUSE_MS
  }

  isPaused(now: number): boolean {
    return now < this.#paused_until
  }

  /** A response that the vendor began by itself, and is asked to cancel. */
  add(response_id: string, error: ClientError): void {
    this.#errors.set(response_id, error)
  }

  has(response_id: string): boolean {
    return this.#errors.has(response_id)
  }

  /** The refusal of a response that has ended; undefined: it was not refused. */
  take(response_id: string): ClientError | undefined {
    const error = this.#errors.get(response_id)
    this.#errors.delete(response_id)
    return error
  }

  /** True if an event belongs to a refused response, whose end the client has seen. */
  hides(text: string): boolean {
    if (this.#errors.size === 0) return false
    const response_id = textAt(parseJsonObject(text), 'response_id')
    return response_id !== undefined && this.#errors.has(response_id)
  }
}

/** The events of a response that failed before the vendor heard of it. */
export function failedResponse(error: ClientError, asked: JsonObject): JsonObject[] {
  const response_id = `resp_${randomUUID().replaceAll('-', '')}`
  const metadata = asked['metadata'] ?? null
  return [
    { type: 'response.created', response: responseOf(response_id, { status: 'in_progress', status_details: null, metadata, usage: null }) },
    failedEnd(response_id, error, metadata),
  ]
}

const NO_USAGE = { total_tokens: 0, input_tokens: 0, output_tokens: 0 }

export function failedEnd(response_id: string, { type, code, message }: ClientError, metadata: unknown = null): JsonObject {
  const status_details = { type: 'failed', error: { type, code, message } }
  return { type: 'response.done', response: responseOf(response_id, { status: 'failed', status_details, metadata, usage: NO_USAGE }) }
}

const responseOf = (id: string, rest: JsonObject): JsonObject => ({ id, object: 'realtime.response', output: [], ...rest })
