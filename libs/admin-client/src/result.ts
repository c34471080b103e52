/**
 * Why a call has no result. `unreachable`: no connection; `timeout`: no answer in time; `other-server`: the answer is none of Tollgate's;
 * `missing`: the server does not know the call; `refused`: it does, and says no.
 */
export type AdminFailure = {
  readonly kind: 'unreachable' | 'timeout' | 'other-server' | 'missing' | 'refused'
  readonly message: string
  /** The HTTP status, if there was an answer. */
  readonly status?: number
  /** The field of the body that is wrong. */
  readonly field?: string
}

export type AdminResult<T> =
  | { readonly ok: true; readonly data: T; readonly message: string }
  | { readonly ok: false; readonly failure: AdminFailure }

type Refusal = { success: false }
/** The result of a call: the `data` of the envelope, or the whole answer where that has none. */
export type DataOf<Body> =
  Extract<Body, { success: true }> extends never
    ? Exclude<Body, Refusal>
    : Extract<Body, { success: true }> extends { data: infer Data }
      ? Data
      : undefined

export type Call<Body> = Promise<{ data?: Body; error?: unknown; response: Response }>

/** Opens the envelope of an answer. It does not throw. */
export async function resultOf<Body>(call: Call<Body>): Promise<AdminResult<DataOf<Body>>> {
  const answer = await call.catch((error: unknown) => failureOfError(error))
  if ('kind' in answer) return { ok: false, failure: answer }
  const body: unknown = answer.data ?? answer.error
  const { status, ok } = answer.response
  if (!isEnvelope(body)) {
    // Files, and the answers of APIs with a form of their own.
    if (ok && answer.data !== undefined) return { ok: true, data: body as DataOf<Body>, message: '' } // as the document declares it
    return { ok: false, failure: failureOfStatus(status, body) }
  }
  if (!ok || !body.success) {
    const field = body.field === undefined ? {} : { field: body.field }
    return { ok: false, failure: { kind: 'refused', message: body.message, status, ...field } }
  }
  const { success: _success, message, ...rest } = body
  const hasFields = Object.keys(rest).some((key) => key !== 'data')
  return { ok: true, data: (hasFields ? body : body.data) as DataOf<Body>, message } // as the document declares it
}

/** A call without a result. */
export class AdminError extends Error {
  readonly failure: AdminFailure
  constructor(failure: AdminFailure) {
    super(failure.message)
    this.name = 'AdminError'
    this.failure = failure
  }
}

/** The data of a call; throws an `AdminError` if it has none. */
export async function dataOf<Body>(call: Call<Body>): Promise<DataOf<Body>> {
  const result = await resultOf(call)
  if (!result.ok) throw new AdminError(result.failure)
  return result.data
}

type Envelope = { readonly success: boolean; readonly message: string; readonly data?: unknown; readonly field?: string }

const isEnvelope = (body: unknown): body is Envelope =>
  typeof body === 'object' && body !== null && 'success' in body && typeof body.success === 'boolean' && 'message' in body

function failureOfError(error: unknown): AdminFailure {
  if (!(error instanceof Error)) return { kind: 'unreachable', message: String(error) }
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return { kind: 'timeout', message: 'no answer in time' }
  if (error instanceof SyntaxError) return { kind: 'other-server', message: 'the answer is not JSON' }
  const { cause } = error
  return { kind: 'unreachable', message: cause instanceof Error && cause.message !== '' ? cause.message : error.message }
}

/** Tollgate answers a path that it does not know in the form of OpenAI's errors. */
function failureOfStatus(status: number, body: unknown): AdminFailure {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  const isUnknownPath = (status === 404 && text.includes('Invalid URL (')) || status === 501
  if (isUnknownPath) return { kind: 'missing', message: 'the server does not know this call', status }
  return { kind: 'other-server', message: `unexpected answer with status ${status}`, status }
}
