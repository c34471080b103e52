import { errors } from '@tollgate/contracts/errors'
import type { ErrorRow } from '@tollgate/contracts/errors/row'

type Pattern = { readonly code: string; readonly pattern: RegExp; readonly length: number }

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const toPattern = (text: string): RegExp => new RegExp(`^${escape(text).replaceAll(/\\\{\w+\\\}/g, '[^]*')}$`)

/** Rows with the longest text first, so that a text that is all parameters matches last. */
const patterns: readonly Pattern[] = Object.entries(errors)
  .flatMap(([code, row]: [string, ErrorRow]) =>
    [row.zh, row.en].map((text) => ({ code, pattern: toPattern(text), length: text.replaceAll(/\{\w+\}/g, '').length })),
  )
  .toSorted((one, other) => other.length - one.length)

const REQUEST_ID = / \(request id: [^)]*\)$/

/** The row of the error table that a message comes from: not every client format shows the code. */
export function codeOfMessage(message: string): string | undefined {
  const text = message.replace(REQUEST_ID, '')
  return patterns.find(({ pattern, length }) => length > 0 && pattern.test(text))?.code
}
