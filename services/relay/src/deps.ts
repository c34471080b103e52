import type { RelayEnv } from '@tollgate/config/env'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { Heartbeat, Ledger } from '@tollgate/ledger/client/types'
import type { RelaySettleQueue } from '@tollgate/ledger/settle/settle-queue'
import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { SnapshotReader } from '@tollgate/redis/snapshot/snapshot-store'
import type { Budget } from '@tollgate/shares/budget'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Telemetry } from '@tollgate/telemetry/otel'
import type { CallTimeouts } from '@tollgate/upstream/call'
import type { Signer } from '@tollgate/upstream/signer'
import type { Accounts } from './control-plane/accounts.ts'
import type { RuntimeConfig } from './config/runtime-config.ts'
import type { ControlPlane } from './control-plane/client.ts'
import type { PassedCalls } from './control-plane/passed-calls.ts'
import type { ClientSecrets } from './identity/client-secrets.ts'
import type { LiveHandles } from './identity/live-handles.ts'
import type { LiveTokens } from './identity/live-tokens.ts'
import type { Identities } from './identity/identities.ts'
import type { AdmissionQueue } from './admission/admission-queue.ts'
import type { ChannelHealth } from './health/channel-health.ts'
import type { Incidents } from './health/incidents.ts'
import type { BodyBudget } from './transport/body/body-budget.ts'
import type { Pace } from './transport/body/pace.ts'
import type { BodyWorkers } from './transport/body-workers/body-workers.ts'
import type { MediaStoreReader } from '@tollgate/upstream/media-store'
import type { MediaFetcher } from './channels/media.ts'
import type { Observer } from './telemetry/observer.ts'
import type { Refusals } from './refusals/refusals.ts'
import type { Drains } from './channels/drains.ts'
import type { ResponseStates } from './response-state/response-states.ts'
import type { ServedModels } from './response-state/served-models.ts'
import type { OpenRequests } from './request/open-requests.ts'

/** Everything that a step may use. */
export type RelayDeps = {
  readonly env: RelayEnv
  readonly log: Logger
  readonly telemetry: Telemetry
  readonly now: () => number
  readonly random: () => number
  /** Where long prompts are sampled: a secret of the installation, the same in all relays. */
  readonly sample_seed: number
  readonly ledger: Ledger
  readonly accounts: Accounts
  readonly settleQueue: RelaySettleQueue
  readonly heartbeat: Heartbeat
  /** Limits of groups, models and channels. */
  readonly sharedLimits: SharedLimits
  readonly snapshots: SnapshotReader
  readonly config: RuntimeConfig
  readonly identities: Identities
  readonly controlPlane: ControlPlane
  readonly upstream: Outbound
  /** For the addresses in the operator's environment: control plane and console. */
  readonly inner: Outbound
  /** Budgets of calls that are passed on to the control plane. */
  readonly passed: PassedCalls
  /** Long bodies on their way to the control plane. */
  readonly storedBodies: Budget
  readonly pacedBodies: Budget
  readonly bodies: BodyBudget
  readonly bodyPace: Pace
  readonly bodyWorkers: BodyWorkers
  readonly admissionQueue: AdmissionQueue
  readonly open: OpenRequests
  readonly drains: Drains
  readonly incidents: Incidents
  readonly health: ChannelHealth
  readonly media: MediaFetcher
  /** Absent: videos come from their vendors. */
  readonly mediaStore: MediaStoreReader | undefined
  readonly signer: Signer
  readonly clientSecrets: ClientSecrets
  readonly liveTokens: LiveTokens
  readonly liveHandles: LiveHandles
  /** Answers that later requests can refer to. */
  readonly responses: ResponseStates
  readonly servedModels: ServedModels
  readonly observer: Observer
  readonly refusals: Refusals
  readonly timeouts: CallTimeouts
  /** Closes every connection; the last thing a stopping process does. */
  close(): Promise<void>
}
