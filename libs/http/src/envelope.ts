import { AppError } from '@tollgate/contracts/app-error'
import { errors, type ErrorCode } from '@tollgate/contracts/errors'
import type { ErrorRow } from '@tollgate/contracts/errors/row'
import type { Language } from './language.ts'

export type Envelope = { readonly success: boolean; readonly message: string; readonly data?: unknown; readonly field?: string }
export type Rendered = { readonly status: number; readonly body: Envelope }

/** A successful result with a message. */
export class ResultWithMessage<T> {
  readonly message: string
  readonly data: T
  /** Problems of a call that succeeded. */
  readonly warnings: readonly string[]
  constructor(message: string, data: T, warnings: readonly string[] = []) {
    this.message = message
    this.data = data
    this.warnings = warnings
  }
}

/** A successful result with warnings. */
export const withWarnings = <T>(data: T, warnings: readonly string[]): ResultWithMessage<T> => new ResultWithMessage('', data, warnings)

/** `{success: true, message, data}` where the message is not empty. */
export function withMessage<T = undefined>(message: string, ...data: T extends undefined ? [] : [T]): ResultWithMessage<T> {
  // Without data, T is undefined and so is the first element.
  return new ResultWithMessage(message, data[0] as T)
}

/** Status of an error on `/api`: business failures are 200, because existing consoles read the message only then. */
export function consoleStatusOf(code: ErrorCode): number {
  const row: ErrorRow = errors[code]
  if (row.console !== undefined) return row.console
  return row.status === 401 || row.status === 403 || row.status === 429 || row.status >= 500 ? row.status : 200
}

/** The envelope of a failure, with the field of the body that is wrong. An error that is not an AppError is a bug: the caller gets no details. */
export function renderFailure(error: unknown, language: Language): Rendered & { readonly code: ErrorCode } {
  const known =
    error instanceof AppError ? error : new AppError(isStoreLost(error) ? 'store.unavailable' : 'internal', {}, { cause: error })
  const { field }: ErrorRow = errors[known.code]
  const body = {
    success: false,
    message: known.text(language),
    ...(field === undefined ? {} : { field }),
    ...(known.data === undefined ? {} : { data: known.data }),
  }
  return { status: known.console ?? consoleStatusOf(known.code), body, code: known.code }
}

/** True for ioredis's errors when Redis cannot be reached. */
const isStoreLost = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'MaxRetriesPerRequestError' || LOST.has(error.message))

const LOST: ReadonlySet<string> = new Set(['Connection is closed.', 'Command timed out'])

/** The envelope of a result. */
export function renderSuccess(result: unknown): Rendered {
  const message = result instanceof ResultWithMessage ? result.message : ''
  const data: unknown = result instanceof ResultWithMessage ? result.data : result
  return { status: 200, body: data === undefined ? { success: true, message } : { success: true, message, data } }
}
