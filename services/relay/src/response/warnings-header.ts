import { visible } from '@tollgate/telemetry/visible'
import type { RequestContext } from '../request/context.ts'

/** Names what the vendor could not be sent, so that a client sees it without the log. */
export const WARNINGS_HEADER = 'X-Tollgate-Warnings'

const MAX_LENGTH = 1000
/** Warnings about the operator's own settings and prices, which are no concern of the client. */
const OF_OPERATOR = /^(?:operations\.\d|unpriced\.)/

/** Announces the header if there are warnings; those of a stream's answer come too late for it. */
export function announceWarnings({ reply }: RequestContext, warnings: readonly string[]): void {
  if (warnings.length === 0) return
  const told = [...new Set(warnings)].filter((warning) => !OF_OPERATOR.test(warning))
  if (told.length === 0) return
  // Header values are ASCII, and commas separate the entries.
  const plain = told.map((warning) =>
    warning
      .replaceAll('’', "'")
      .replaceAll(/[^\x20-\x7e]/g, '?')
      .replaceAll(',', ';'),
  )
  reply.announce({ [WARNINGS_HEADER]: visible(plain.join(', '), MAX_LENGTH).replaceAll('…', '...') })
}
