import { LogType } from '@tollgate/contracts/enums'
import { MAX_REFUSED_ROWS_PER_MINUTE, type RefusalBatch, type RefusedRequest } from '@tollgate/contracts/relay/refusal'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { NewLogRow } from '@tollgate/db/log-store'
import type { UsageHourRow } from '@tollgate/db/queries/ledger/posting'
import type { MinuteCount, RefusalHour, RefusalMinute } from '@tollgate/db/queries/logs/refusals'
import { RefusalSample } from '@tollgate/domain/rate-limit/refusal-sample'

export type Applied = {
  readonly logs: NewLogRow[]
  readonly usageHours: UsageHourRow[]
  readonly counts: MinuteCount[]
  readonly hours: RefusalHour[]
  readonly minutes: RefusalMinute[]
}

type Options = { readonly perMinute: number; readonly before: readonly RefusalMinute[] }

/**
 * The additions of batches to Postgres: log rows up to the limits of each minute, and exact counts. `before`: the counts that the minutes
 * already have.
 */
export function applyBatches(batches: readonly RefusalBatch[], { perMinute, before }: Options): Applied {
  const sample = new RefusalSample()
  const rowsOf = new Map<number, number>()
  for (const row of before) {
    sample.add(row, row.listed)
    rowsOf.set(row.minute, (rowsOf.get(row.minute) ?? 0) + row.listed)
  }
  const counts = new Map<string, Mutable<MinuteCount>>()
  const minutes = new Map<string, Mutable<RefusalMinute>>()
  const listed: RefusedRequest[] = []
  for (const batch of batches) {
    for (const count of batch.counts) countOf(counts, count).seen += count.seen
    for (const request of batch.requests) {
      const slot = { minute: minuteOf(request.at), token_id: request.token_id, reason: request.reason }
      const rows = rowsOf.get(slot.minute) ?? 0
      if (rows >= MAX_REFUSED_ROWS_PER_MINUTE || !sample.take(slot, perMinute)) continue
      rowsOf.set(slot.minute, rows + 1)
      entry(minutes, [slot.minute, slot.token_id, slot.reason], () => ({ ...slot, listed: 0 })).listed += 1
      countOf(counts, { ...slot, user_id: request.user_id }).listed += 1
      listed.push(request)
    }
  }
  const logs = listed.map(toLogRow)
  const byMinute = [...counts.values()]
  return { logs, usageHours: toUsageHours(listed, logs), counts: byMinute, hours: toHours(byMinute), minutes: [...minutes.values()] }
}

export const minuteOf = (at_ms: number): number => Math.floor(at_ms / 60_000) * 60

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Counted = { readonly minute: number; readonly user_id: number; readonly token_id: number; readonly reason: string }

function countOf(counts: Map<string, Mutable<MinuteCount>>, { minute, user_id, token_id, reason }: Counted): Mutable<MinuteCount> {
  return entry(counts, [minute, user_id, token_id, reason], () => ({ minute, user_id, token_id, reason, seen: 0, listed: 0 }))
}

function toHours(counts: readonly MinuteCount[]): RefusalHour[] {
  const hours = new Map<string, Mutable<RefusalHour>>()
  for (const { minute, seen, listed, ...key } of counts) {
    const hour = minute - (minute % HOUR_SECONDS)
    const sum = entry(hours, [hour, key.user_id, key.token_id, key.reason], () => ({ hour, ...key, seen: 0, listed: 0 }))
    sum.seen += seen
    sum.listed += listed
  }
  return [...hours.values()]
}

function entry<V>(map: Map<string, V>, key: readonly unknown[], make: () => V): V {
  const name = JSON.stringify(key)
  const found = map.get(name) ?? make()
  map.set(name, found)
  return found
}

/** A client chooses the model's name: one that the configuration does not know is kept in `other` only. */
function toLogRow(request: RefusedRequest): NewLogRow {
  const { at, duration_ms, reason, params, model, is_known_model, error_code, error_type, status, client } = request
  const isAsked = model !== '' && !is_known_model
  return {
    created_at: Math.floor(at / 1000),
    type: LogType.refused,
    user_id: request.user_id,
    username: request.username,
    token_id: request.token_id,
    token_name: request.token_name,
    channel_id: 0,
    model_name: is_known_model ? model : '',
    group: request.group,
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    use_time: Math.round(duration_ms / 1000),
    is_stream: request.is_stream,
    content: request.message,
    other: JSON.stringify({
      error_type,
      error_code,
      status_code: status,
      reason,
      params,
      duration_ms: Math.round(duration_ms),
      client,
      ...(isAsked ? { requested_model: model } : {}),
    }),
    request_id: request.request_id,
    state: '',
    usage: null,
    quote: null,
    explanation: null,
    error_code,
  }
}

/** The rows count in the logged sums of their hour, not in usage; the models of requests are those of their rows. */
function toUsageHours(requests: readonly RefusedRequest[], logs: readonly NewLogRow[]): UsageHourRow[] {
  const none = { requests: 0, quota: 0, token_quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time_ms: 0, logged_quota: 0 }
  const hours = new Map<string, Mutable<UsageHourRow> & { faults: number }>()
  for (const [at, { created_at, user_id, token_id, channel_id, model_name, group, token_name, type }] of logs.entries()) {
    const key = { hour: created_at - (created_at % HOUR_SECONDS), user_id, token_id, channel_id, model_name, group, token_name, type }
    const row = entry(hours, Object.values(key), () => ({ ...key, ...none, logged_requests: 0, faults: 0 }))
    row.logged_requests += 1
    // The configuration knows the model, and it is out of service.
    if (requests[at]?.reason === 'channel.none' && model_name !== '') row.faults += 1
  }
  return [...hours.values()]
}
