import { errors } from '../../libs/contracts/src/errors.ts'
import type { ErrorRow } from '../../libs/contracts/src/errors/row.ts'
import { code, page, table } from './markdown.ts'

export function renderErrors(): string {
  const rows = Object.entries(errors).map(([name, row]: [string, ErrorRow]) => [
    code(name),
    String(row.status),
    row.console === undefined ? '' : String(row.console),
    row.retry,
    row.blame,
    code(row.api_code ?? name),
    row.zh,
    row.en,
  ])
  return page({
    title: 'Errors',
    about:
      'Declared in `libs/contracts/src/errors/`. Status is the HTTP status on the model routes. On `/api` a refusal is 200 unless its status is 401, 403, 429 or 5xx, or the column `/api` names another.',
    parts: [table(['Code', 'Status', '/api', 'Retry', 'Blame', 'API code', 'Chinese', 'English'], rows)],
  })
}
