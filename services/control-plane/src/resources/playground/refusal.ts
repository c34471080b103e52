import type { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import type { ErrorRow } from '@tollgate/contracts/errors/row'
import type { Language } from '@tollgate/http/language'

/** A refusal as the relay answers one: in the OpenAI format, with the error's own status. */
export function renderRefusal(error: AppError, language: Language): Response {
  const row: ErrorRow = errors[error.code]
  const described = { message: error.text(language), type: row.type, param: '', code: row.api_code ?? error.code }
  return Response.json({ error: described }, { status: row.status })
}
