import type { ControlPlaneEnv } from '@tollgate/config/env'
import type { Sealer } from '@tollgate/config/sealing'
import type { UnixMillis, UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '@tollgate/db/connect'
import type { Replica } from '@tollgate/db/replica'
import type { JobClient } from '@tollgate/jobs/client'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { connectRedis } from '@tollgate/redis/connect'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import type { Budgets } from './budgets.ts'
import type { OptionReader } from '@tollgate/db/option-reader'

export type RedisClient = ReturnType<typeof connectRedis>

/** Writes one structured line; fields first, as in pino. */
export type Log = {
  info(details: object, text: string): void
  warn(details: object, text: string): void
  error(details: object, text: string): void
}

/** Dependencies of the use cases. Built in main.ts; tests build their own. */
export type Deps = {
  readonly env: ControlPlaneEnv
  readonly db: Db
  /** Other connections, for lists, sums and exports. */
  readonly reads: Db
  /** A standby for lists, sums and exports; absent: they read from the primary. */
  readonly replica?: Replica | undefined
  /** Other connections, for pieces of files and background responses. */
  readonly bulk: Db
  readonly redis: RedisClient
  /** The server of the ledger; the same connection if it has none of its own. */
  readonly ledgerRedis: LedgerServers
  readonly sealers: { readonly channels: Sealer; readonly options: Sealer }
  /** Reads the operator's options, typed and validated, with defaults. */
  readonly options: OptionReader
  /** Adds jobs for the worker and waits for their results. */
  readonly jobs: JobClient
  /** Calls to addresses that operators configure; guarded against internal addresses. */
  readonly outbound: Outbound
  /** Calls to our own relay. */
  readonly inner: Pick<Outbound, 'dispatch'>
  readonly budgets: Budgets
  readonly log: Log
  readonly now: () => UnixMillis
  /** Aborts when the process begins to stop. */
  readonly stopping: AbortSignal
  /** Start of this process, for the site status. */
  readonly started_at: UnixSeconds
  /** The version that the console shows. */
  readonly version: string
  /** The one-time code for setup from another machine, or `off`. */
  readonly setup_code: string
}

/** The current time in whole seconds. */
export function nowSeconds(deps: Pick<Deps, 'now'>): UnixSeconds {
  return Math.floor(deps.now() / 1000)
}
