import { objectAt, parseJson, textAt } from '@tollgate/providers/json'
import type { ClientApi } from './client-api.ts'
import type { ClientError } from './client-error.ts'

/** The type that the client reads in its own format; Gemini's errors have a status instead. */
export function errorTypeFor(clientApi: ClientApi, clientError: ClientError): string | undefined {
  const error = objectAt(parseJson(clientApi.renderError(clientError)), 'error')
  return textAt(error, 'type') ?? textAt(error, 'status')
}
