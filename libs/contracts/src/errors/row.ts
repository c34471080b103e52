import type { Word } from './params.ts'

export type ErrorRow = {
  /** HTTP status on the model routes. On `/api`, business failures are 200 with `success:false`; only 401, 403, 429, 5xx keep theirs. */
  readonly status: number
  readonly retry: 'never' | 'same' | 'other-channel'
  readonly blame: 'caller' | 'account' | 'operator' | 'upstream' | 'us'
  /** `type` of the OpenAI error shape. */
  readonly type: 'new_api_error' | 'invalid_request_error' | 'upstream_error' | 'server_error'
  /** `code` of the OpenAI error shape; the table's key when absent. */
  readonly api_code?: string
  /** HTTP status on `/api` where it is not what the rule above says. */
  readonly console?: number
  /** Seconds until another try makes sense, which `/api` says in `Retry-After`. */
  readonly retry_after_s?: number
  /** The field of the request body that is wrong: a form shows the text beside it. */
  readonly field?: string
  readonly zh: string
  readonly en: string
  /** Texts for the codes that a placeholder can have; another value is shown as it is. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, Word>>>>
}

export type ErrorRows = Readonly<Record<string, ErrorRow>>
