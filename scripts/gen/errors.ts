import { errors, type ErrorRow } from '../../libs/contracts/src/errors.ts'
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
      'Declared in `libs/contracts/src/errors.ts`. Status: on the model routes; on `/api` refusals are 200 unless they are 401, 403, 429 or 5xx, or the column `/api` says otherwise.',
    parts: [table(['Code', 'Status', '/api', 'Retry', 'Whose', 'Wire code', 'Chinese', 'English'], rows)],
  })
}
