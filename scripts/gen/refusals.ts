import { isLasting, REFUSAL_FORMATS, refusalShape, type RefusalFormat } from '../../libs/contracts/src/failures/client-refusals.ts'
import { errors, type ErrorCode } from '../../libs/contracts/src/errors.ts'
import type { ErrorRow } from '../../libs/contracts/src/errors/row.ts'
import { code, page, table } from './markdown.ts'

/** Errors of the console's API have one format. */
const MODEL_ROUTES = /^(access|channel|content|ledger|media|model|quota|rate|request|route|store|token|upstream|gateway)\./

export function renderRefusals(): string {
  const codes = Object.keys(errors).filter((name): name is ErrorCode => MODEL_ROUTES.test(name))
  return page({
    title: 'Refusals by client format',
    about:
      'Status and code of each refusal in the format of the client, from `libs/contracts/src/failures/client-refusals.ts` and the error table, with option `QuotaErrorStatus` at its default. Final ones carry `x-should-retry: false`. A wait above 90 seconds is left out for chat and Responses clients, and is final for SDKs in every format; Gemini clients get each wait as `RetryInfo` too.',
    parts: [
      table(
        ['Refusal', ...REFUSAL_FORMATS, 'Final'],
        codes.map((name) => [code(name), ...REFUSAL_FORMATS.map((format) => cell(name, format)), finality(name)]),
      ),
    ],
  })
}

function cell(name: ErrorCode, format: RefusalFormat): string {
  const row: ErrorRow = errors[name]
  const shape = refusalShape(name, format, 'by-format')
  // Google's errors name a status, Anthropic's a type.
  const shown = format === 'gemini' ? '' : format === 'messages' ? (shape.type ?? '') : (shape.code ?? row.api_code ?? name)
  return shown === '' ? String(shape.status ?? row.status) : `${shape.status ?? row.status} ${code(shown)}`
}

function finality(name: ErrorCode): string {
  const row: ErrorRow = errors[name]
  return isLasting(name, row.status) ? 'yes' : ''
}
