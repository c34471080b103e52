import type { Telemetry } from '@tollgate/telemetry/otel'
import type { OpenTaskCount } from '@tollgate/db/queries/tasks/tasks'
import type { MasterFacts } from './ledger-masters.ts'
import type { LedgerState, LedgerView } from './ledger-view.ts'

/** Metrics of the worker's work; costs nothing when no metrics are collected. */
export type Observer = {
  jobEnded(job: string, outcome: 'done' | 'failed', seconds: number): void
  posted(batch: { readonly posted: number; readonly dropped: number; readonly corrected: number; readonly rejected: number }): void
  reaped(holds: number): void
  /** A vendor was asked about tasks, or could not be. */
  tasksPolled(poll: { readonly family: string; readonly channel_id: number; readonly count: number; readonly isFailed: boolean }): void
  evicted(accounts: number): void
  /** A shard was repaired; `missing` of its numbers had no event. */
  repaired(missing: number): void
  /** Events that Redis lost and no relay sent again. */
  lost(events: number): void
}

const OUTCOMES = ['posted', 'dropped', 'corrected', 'rejected'] as const

/** Counters of this worker's work, and gauges of the ledger, which are the same in every worker. */
export function createObserver({ metrics }: Pick<Telemetry, 'metrics'>, ledger: Pick<LedgerView, 'current' | 'masters'>): Observer {
  const jobs = metrics.histogram('tollgate_job_duration_seconds', {
    description: 'Duration of a job in seconds, by job_name (Prometheus names what it scrapes `job`) and outcome',
    unit: 's',
  })
  const events = metrics.counter('tollgate_posting_events', { description: 'Usage events by outcome of posting' })
  const reaped = metrics.counter('tollgate_reaped_holds', { description: 'Holds of dead relays that were settled by the worker' })
  const polled = metrics.counter('tollgate_tasks_polled', { description: 'Tasks asked about, by family, channel and outcome' })
  const evicted = metrics.counter('tollgate_evicted_accounts', { description: 'Idle wallets and tokens removed from Redis' })
  const repaired = metrics.counter('tollgate_ledger_repairs', { description: 'Repairs of a ledger shard from Postgres' })
  const lost = metrics.counter('tollgate_ledger_lost_events', { description: 'Usage events that were lost and cannot be recovered' })
  // Shows counters that are still 0, because the first event would otherwise not appear as an increase.
  for (const outcome of OUTCOMES) events.add(0, { outcome })
  reaped.add(0)
  evicted.add(0)
  repaired.add(0)
  lost.add(0)
  addGauges(metrics, ledger.current)
  addMasters(metrics, ledger.masters)
  return {
    jobEnded: (job, outcome, seconds) => {
      if (metrics.isOn) jobs.record(seconds, { job_name: job, outcome })
    },
    posted: (batch) => {
      if (!metrics.isOn) return
      for (const outcome of OUTCOMES) events.add(batch[outcome], { outcome })
    },
    reaped: (holds) => reaped.add(holds),
    tasksPolled: ({ family, channel_id, count, isFailed }) => {
      if (metrics.isOn) polled.add(count, { family, channel: String(channel_id), outcome: isFailed ? 'failed' : 'answered' })
    },
    evicted: (accounts) => evicted.add(accounts),
    repaired: (missing) => {
      repaired.add(1)
      lost.add(missing)
    },
    lost: (events) => lost.add(events),
  }
}

/** Unknown values are not shown, except the fence: a Redis that does not answer accepts no requests. */
function addGauges(metrics: Telemetry['metrics'], ledger: () => LedgerState): void {
  const gauge = (
    name: string,
    description: string,
    read: (state: Extract<LedgerState, { kind: 'known' }>) => number | undefined,
    unit = '1',
  ): void =>
    metrics.gauge(name, { description, unit }, () => {
      const state = ledger()
      const value = state.kind === 'known' ? read(state) : undefined
      return value === undefined ? [] : [{ labels: {}, value }]
    })
  metrics.gauge('tollgate_ledger_fence_open', { description: '1: the ledger accepts requests, 0: its fence is closed' }, () =>
    Number(ledger().is_open),
  )
  gauge('tollgate_posting_lag_events', 'Usage events not yet posted to Postgres', (state) => state.lag_events)
  gauge('tollgate_posting_lag_seconds', 'Age in seconds of the oldest usage event not yet posted', (state) => state.lag_seconds, 's')
  gauge('tollgate_posting_suspect_shards', 'Ledger shards that reject requests until they are repaired', (state) => state.suspect_shards)
  const ofTasks = (name: string, description: string, read: (count: OpenTaskCount) => number, unit = '1'): void =>
    metrics.gauge(name, { description, unit }, () => {
      const state = ledger()
      const counts = state.kind === 'known' ? state.tasks : []
      return counts.map((count) => ({ labels: { family: count.family, channel: String(count.channel_id) }, value: read(count) }))
    })
  ofTasks('tollgate_tasks_open', 'Tasks that have not ended, by family and channel', ({ open }) => open)
  ofTasks(
    'tollgate_tasks_lag_seconds',
    'How long the longest due task waits to be asked about, in seconds',
    ({ lag_ms }) => lag_ms / 1000,
    's',
  )
  addSinkLag(metrics, ledger)
  gauge('tollgate_log_store_waiting_rows', 'Log rows that wait in Postgres for the log store', ({ outbox }) => outbox.rows)
  const lagOf = (since: number | null): number => (since === null ? 0 : Math.max(0, Date.now() - since) / 1000)
  gauge('tollgate_log_store_lag_seconds', 'Age in seconds of the oldest log row that waits', ({ outbox }) => lagOf(outbox.since), 's')
  gauge('tollgate_ledger_open_holds', 'Requests with an open hold', (state) => state.open_holds)
  gauge('tollgate_ledger_differences', 'Differences found by the last ledger verification', (state) => state.last_check?.differences)
  gauge(
    'tollgate_ledger_checked_at',
    'Start of the last ledger verification, in Unix seconds',
    (state) => state.last_check?.started_at,
    's',
  )
}

/** A series for each master of the ledger's cluster. */
function addMasters(metrics: Telemetry['metrics'], masters: LedgerView['masters']): void {
  const gauge = (name: string, description: string, read: (facts: MasterFacts | undefined) => number | undefined, unit = '1'): void =>
    metrics.gauge(name, { description, unit }, () =>
      masters().flatMap(({ address, facts }) => {
        const value = read(facts)
        return value === undefined ? [] : [{ labels: { address }, value }]
      }),
    )
  gauge('tollgate_ledger_master_up', '1: the master of the ledger answers this worker, 0: it does not', (facts) =>
    facts === undefined ? 0 : 1,
  )
  gauge('tollgate_ledger_master_memory_bytes', 'Memory that a master of the ledger uses', (facts) => facts?.memory_bytes, 'By')
  gauge(
    'tollgate_ledger_master_memory_limit_bytes',
    'Memory that a master of the ledger may use',
    (facts) => facts?.memory_limit_bytes,
    'By',
  )
  gauge('tollgate_ledger_master_replicas', 'Replicas of a master of the ledger that follow it', (facts) => facts?.replicas)
  gauge(
    'tollgate_ledger_master_replica_lag_bytes',
    'Bytes of commands that the most recent replica of a master of the ledger has not confirmed',
    (facts) => facts?.replica_lag_bytes,
    'By',
  )
}

function addSinkLag(metrics: Telemetry['metrics'], ledger: () => LedgerState): void {
  const options = { description: 'Age in seconds of the oldest request or event that waits for a sink: `objects` or `webhooks`', unit: 's' }
  metrics.gauge('tollgate_sink_lag_seconds', options, () => {
    const state = ledger()
    if (state.kind !== 'known') return []
    return (['objects', 'webhooks'] as const).flatMap((sink) => {
      const since = state.sinks[sink]
      return since === null ? [] : [{ labels: { sink }, value: Math.max(0, Date.now() / 1000 - since) }]
    })
  })
}
