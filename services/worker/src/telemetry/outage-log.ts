import type { Logger } from '@tollgate/telemetry/logger'

export type OutageLog = {
  /** Redis or Postgres did not answer. */
  unavailable(cause: unknown): void
  /** Both answered. */
  available(): void
}

type Options = { readonly log: Pick<Logger, 'warn' | 'error'>; readonly now: () => number }

/** Two lines per outage, however often recovery tries in between: its start with the cause, and its end. */
export function createOutageLog({ log, now }: Options): OutageLog {
  let since: number | undefined
  return {
    unavailable: (err) => {
      if (since !== undefined) return
      since = now()
      log.error({ err }, 'Ledger recovery failed: Redis or Postgres does not answer')
    },
    available: () => {
      if (since === undefined) return
      log.warn({ duration_ms: Math.round(now() - since) }, 'Ledger recovery works again')
      since = undefined
    },
  }
}
