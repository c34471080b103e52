import type { WorkerEnv } from '@tollgate/config/env'
import type { Sealer } from '@tollgate/config/sealing'
import type { Db } from '@tollgate/db/connect'
import type { LogStore } from '@tollgate/db/log-store'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { Redis } from '@tollgate/redis/connect'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import type { LedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Telemetry } from '@tollgate/telemetry/otel'
import type { Signer } from '@tollgate/upstream/signer'
import type { Senders } from './senders/senders.ts'
import type { SmtpConnect } from './senders/smtp-connect.ts'
import type { Eviction } from './upkeep/idle-accounts.ts'
import type { LedgerView } from './telemetry/ledger-view.ts'
import type { Observer } from './telemetry/observe.ts'
import type { PostingGroups } from './posting/groups.ts'
import type { MediaStore } from './media/media-store.ts'
import type { Reaper } from '@tollgate/ledger/reaping/reaper'

/** Dependencies of the worker's handlers and loops. */
export type Deps = {
  readonly env: WorkerEnv
  readonly db: Db
  readonly redis: Redis
  /** The server of the ledger; the same connection if it has none of its own. */
  readonly ledgerRedis: LedgerServers
  /** Another connection to that server, which fails at once; for recovery and the reaper's probes. */
  readonly probeRedis: LedgerServers
  readonly admin: LedgerAdmin
  readonly posting: PostingGroups
  readonly reaper: Reaper
  readonly eviction: Eviction
  readonly channelKeys: Sealer
  /** Secrets of options and of users' webhooks, and hashes of mailed codes. */
  readonly secrets: Sealer
  readonly outbound: Outbound
  /** Access tokens of channels whose key is a service account. */
  readonly signer: Signer
  /** Calls to addresses that users chose: reaches nothing private unless MEDIA_ALLOW_PRIVATE says so. */
  readonly userOutbound: Outbound
  /** For the addresses in the operator's environment: a relay. */
  readonly inner: Outbound
  readonly smtp: SmtpConnect
  readonly senders: Senders
  /** Absent: finished videos stay with their vendors. */
  readonly mediaStore: MediaStore | undefined
  /** Absent: posted requests are not stored as objects. */
  readonly sinkStore: MediaStore | undefined
  readonly log: Logger
  readonly telemetry: Telemetry
  readonly observer: Observer
  readonly ledgerView: LedgerView
  /** Absent: log rows are in Postgres. */
  readonly logStore: LogStore | undefined
  readonly now: () => number
}
