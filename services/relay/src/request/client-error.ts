import { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import { INSUFFICIENT_QUOTA, isLasting, refusalShape } from '@tollgate/contracts/failures/client-refusals'
import type { RequestContext } from './context.ts'

/** An error for a client, before its client API renders it. */
export type ClientError = {
  readonly status: number
  readonly type: string
  readonly code: string
  readonly message: string
  readonly param: string
  /** Seconds for Retry-After. */
  readonly retry_after_s?: number | undefined
  /** For `x-should-retry`, which the SDKs of OpenAI and Anthropic obey; undefined: the status decides. */
  readonly should_retry?: boolean | undefined
  /** The vendor's own error object, forwarded to a client of the same format. */
  readonly upstream_body?: unknown
}

/** For a refusal that time heals, if nothing says how long: Codex 0.171 ends its turn on a 429 without a wait. In seconds. */
export const RETRY_AFTER_S = 2

type ErrorContext = Pick<RequestContext, 'id' | 'language' | 'quotaStatus' | 'clientApi' | 'topUpLink'>

/** The error table's row for the client, as its format says it; an unexpected error becomes `internal`, without details. */
export function toClientError(error: unknown, context: ErrorContext): ClientError {
  const known = error instanceof AppError ? error : new AppError('internal')
  const row = errors[known.code]
  const shape = refusalShape(known.code, context.clientApi.refusals, context.quotaStatus)
  const status = shape.status ?? row.status
  const retry_after_s = shape.code === INSUFFICIENT_QUOTA ? undefined : retryAfterOf(status, retryAfterParam(known))
  return {
    status,
    type: shape.type ?? row.type,
    code: shape.code ?? apiCode(known.code),
    message: withRequestId(shape.message ?? `${known.text(context.language)}${topUpHint(known.code, context)}`, context),
    param: paramOf(known),
    retry_after_s,
    ...(isLasting(known.code, status) ? { should_retry: false } : {}),
  }
}

/**
 * The text with the request's id. OpenAI's clients find it in a header, and OpenCode 1.18 repeats refusals whose text holds the digits of
 * a status such as 429 or 503 anywhere.
 */
export function withRequestId(text: string, { id, clientApi }: Pick<ErrorContext, 'id' | 'clientApi'>): string {
  return clientApi.name === 'openai' ? text : `${text} (request id: ${id})`
}

const OWN_WALLET = new Set<AppError['code']>(['quota.user-empty', 'quota.user-short'])

function topUpHint(code: AppError['code'], { language, topUpLink }: ErrorContext): string {
  if (topUpLink === '' || !OWN_WALLET.has(code)) return ''
  return language === 'zh' ? `，充值：${topUpLink}` : `. Top up: ${topUpLink}`
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
