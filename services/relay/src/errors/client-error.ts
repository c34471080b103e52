import { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import type { RequestContext } from '../request/context.ts'

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
/** Type and code of OpenAI's 429 for an account without quota: https://platform.openai.com/docs/guides/error-codes */
export const INSUFFICIENT_QUOTA = 'insufficient_quota'
const OWN_QUOTA = new Set<AppError['code']>(['quota.user-short', 'quota.user-empty', 'quota.token-short', 'token.empty', 'token.exhausted'])

type ErrorContext = Pick<RequestContext, 'id' | 'language' | 'quotaStatus'>

/** The error table's row for the client; an unexpected error becomes `internal`, without details. */
export function toClientError(error: unknown, { id, language, quotaStatus }: ErrorContext): ClientError {
  const known = error instanceof AppError ? error : new AppError('internal')
  const { status, type } = errors[known.code]
  const message = withRequestId(known.text(language), id)
  if (quotaStatus === 429 && OWN_QUOTA.has(known.code))
    return { status: 429, type: INSUFFICIENT_QUOTA, code: INSUFFICIENT_QUOTA, message, param: '' }
  return {
    status,
    type,
    code: apiCode(known.code),
    message,
    param: paramOf(known),
    retry_after_s: retryAfterOf(status, retryAfterParam(known)),
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
