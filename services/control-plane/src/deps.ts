import type { ControlPlaneEnv } from '@tollgate/config/env'
import type { Sealer } from '@tollgate/config/sealing'
import type { UnixMillis, UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '@tollgate/db/connect'
import type { JobClient } from '@tollgate/jobs/client'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { connectRedis } from '@tollgate/redis/connect'
import type { OptionReader } from './option-reader.ts'

export type RedisClient = ReturnType<typeof connectRedis>

/** One structured line; details first, as pino takes them. */
export type Log = {
  info(details: object, text: string): void
  warn(details: object, text: string): void
  error(details: object, text: string): void
}

/** Everything a use case of the control plane may need. Built in main.ts; tests build their own. */
export type Deps = {
  readonly env: ControlPlaneEnv
  readonly db: Db
  readonly redis: RedisClient
  readonly sealers: { readonly channels: Sealer; readonly options: Sealer }
  /** Typed, validated, defaulted reader of the operator's options. */
  readonly options: OptionReader
  /** Work for the worker, and waiting for its end. */
  readonly jobs: JobClient
  /** Calls to addresses that operators type; guarded. */
  readonly outbound: Outbound
  readonly log: Log
  readonly now: () => UnixMillis
  /** When this process started, for the site status. */
  readonly started_at: UnixSeconds
  /** Version shown in the console. */
  readonly version: string
  /** `off`, or the one-time code that opens the first set-up from elsewhere. */
  readonly setup_code: string
}

/** Whole seconds now. */
export function nowSeconds(deps: Pick<Deps, 'now'>): UnixSeconds {
  return Math.floor(deps.now() / 1000)
}
