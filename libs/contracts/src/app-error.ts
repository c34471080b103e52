import { errors, type ErrorCode } from './errors.ts'
import type { ErrorParams } from './errors/params.ts'
import type { ErrorRow } from './errors/row.ts'
import { ownValue } from './values/own-value.ts'

type Params = ErrorParams
type Options = { readonly cause?: unknown; readonly console?: number; readonly data?: object }

/**
 * The only error class for failures that are reported to a client. The error table holds status, blame and both texts; `params` fill
 * the `{name}` placeholders of a text. Never put keys, prompts or tokens into `params`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: Params
  /** HTTP status on `/api` for this failure, instead of the table's. */
  readonly console: number | undefined
  /** Additional fields of the envelope of a failure on `/api`. */
  readonly data: object | undefined

  constructor(code: ErrorCode, params: Params = {}, options?: Options) {
    super(textOf(code, 'en', params), options)
    this.name = 'AppError'
    this.code = code
    this.params = params
    this.console = options?.console
    this.data = options?.data
  }

  get status(): number {
    return errors[this.code].status
  }

  /** The text for the client, in its language. */
  text(language: 'zh' | 'en'): string {
    return textOf(this.code, language, this.params)
  }
}

/** Fills the placeholders of an error's text; a placeholder without a parameter stays as it is. */
export function textOf(code: ErrorCode, language: 'zh' | 'en', params: Params = {}): string {
  const row: ErrorRow = errors[code]
  return row[language].replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
    const given = params[name] ?? hole
    const value = (typeof given === 'string' ? ownValue(row.words?.[name] ?? {}, given) : undefined) ?? given
    return typeof value === 'object' ? value[language] : String(value)
  })
}

/** True if a store did not answer, so that the same may succeed later. */
export const isStoreUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'store.unavailable'
