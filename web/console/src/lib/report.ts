import i18next from 'i18next'
import { ApiError } from './api-error.ts'
import { toast } from './toast.ts'

/** The server's message in every language, because existing consoles know it so. */
const RECORD_MISSING = 'record not found'

/** The text a person sees for a failed call; undefined when something else tells it already (401 leads to the sign-in page). */
export function failureText(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return i18next.t('errors:other', { message: error instanceof Error ? error.message : String(error) })
  const { failure } = error
  if (failure.kind === 'refused') return failure.message === RECORD_MISSING ? i18next.t('errors:record-missing') : failure.message
  if (failure.kind === 'network') return i18next.t('errors:other', { message: failure.message })
  if (failure.status === 401) return undefined
  if (failure.status === 429) {
    const text = i18next.t('errors:too-many-requests')
    return failure.retryAfterS === undefined ? text : `${text} ${i18next.t('errors:again-in', { count: Math.ceil(failure.retryAfterS) })}`
  }
  if (failure.status === 500) return i18next.t('errors:server-fault')
  if (failure.status === 405) return i18next.t('errors:demo-only')
  return i18next.t('errors:other', { message: failure.message })
}

/** Shows a failed call as a toast. Queries and mutations do this by themselves. */
export function report(error: unknown): void {
  const text = failureText(error)
  if (text !== undefined && text !== '') toast.error(text)
}
