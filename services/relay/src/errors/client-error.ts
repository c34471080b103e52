import { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'

/** An error for a client, before its client API renders it. */
export type ClientError = {
  readonly status: number
  readonly type: string
  readonly code: string
  readonly message: string
  readonly param: string
  /** Seconds for Retry-After. */
  readonly retry_after_s?: number | undefined
  /** The vendor's own error object, forwarded to a client of the same format. */
  readonly upstream_body?: unknown
}

const RETRY_AFTER_S = 2

/** The error table's row for the client; an unexpected error becomes `internal`, without details. */
export function toClientError(error: unknown, requestId: string, retryAfterMs?: number): ClientError {
  const known = error instanceof AppError ? error : new AppError('internal')
  const { status, type } = errors[known.code]
  return {
    status,
    type,
    code: apiCode(known.code),
    message: withRequestId(known.text('zh'), requestId),
    param: paramOf(known),
    retry_after_s: retryAfterOf(status, retryAfterMs ?? retryAfterParam(known)),
  }
}

export function withRequestId(text: string, requestId: string): string {
  return `${text} (request id: ${requestId})`
}

function apiCode(code: AppError['code']): string {
  const row = errors[code]
  return 'api_code' in row ? row.api_code : code
}

/** The field that is wrong, where the error names one. */
function paramOf({ code, params: { field } }: AppError): string {
  if (typeof field === 'string') return field
  return code === 'model.unknown' ? 'model' : ''
}

function retryAfterParam({ params }: AppError): number | undefined {
  const value = params['retry_after_ms']
  return typeof value === 'number' ? value : undefined
}

function retryAfterOf(status: number, ms: number | undefined): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  return ms === undefined ? RETRY_AFTER_S : Math.max(1, Math.ceil(ms / 1000))
}
