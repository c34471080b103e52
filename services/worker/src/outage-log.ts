import type { Logger } from '@tollgate/telemetry/logger'

export type OutageLog = {
  /** It did not answer. */
  away(cause: unknown): void
  /** It answered. */
  back(): void
}

type Options = { readonly log: Pick<Logger, 'warn' | 'error'>; readonly now: () => number }

/** Two lines per outage, however often it is asked in between: that it began, with the cause, and that it is over. */
export function createOutageLog({ log, now }: Options): OutageLog {
  let since: number | undefined
  return {
    away: (err) => {
      if (since !== undefined) return
      since = now()
      log.error({ err }, 'the keeper cannot look at the ledger: Redis or Postgres does not answer')
    },
    back: () => {
      if (since === undefined) return
      log.warn({ duration_ms: Math.round(now() - since) }, 'the keeper looks at the ledger again')
      since = undefined
    },
  }
}
