import { LogType } from '@tollgate/contracts/enums'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { EMPTY_HISTOGRAM, toHistogram } from '@tollgate/db/duration-histogram'
import type { ChannelSpending, TokenSpending, UsageHourRow, UserSpending } from '@tollgate/db/queries/ledger/posting'
import type { WindowSpending } from '@tollgate/db/queries/tokens/budgets'
import { decodeBudgets } from '@tollgate/ledger/client/budget-args'
import { promptTokensOf } from '@tollgate/domain/pricing/ratios'
import { isFault } from './fault.ts'
import { logTypeOf } from './log-row.ts'
import type { PostedEvent } from './posted-event.ts'

export type BatchSums = {
  readonly hours: UsageHourRow[]
  readonly users: UserSpending[]
  readonly tokens: TokenSpending[]
  readonly channels: ChannelSpending[]
  readonly windows: WindowSpending[]
}

type HourSums = Required<UsageHourRow>
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const HOUR_SECONDS = 3600
/** A vendor may report any number; the sums of the rollup must not overflow for it. */
const MAX_TOKENS = 1_000_000_000

/** Sums a batch per rollup hour, user, token and channel. Each list is in key order, so that all transactions lock in the same order. */
export function sumBatch(events: readonly PostedEvent[], { isLogged }: { readonly isLogged: boolean }): BatchSums {
  const hours = new Map<string, HourSums>()
  const users = new Map<number, Mutable<UserSpending>>()
  const tokens = new Map<number, Mutable<TokenSpending>>()
  const channels = new Map<string, Mutable<ChannelSpending>>()
  const windows = new Map<string, Mutable<WindowSpending>>()
  for (const event of events) {
    // The request of a correction was counted before: only the charge is added.
    const isFirst = event.kind === 'final'
    addHour(hours, event, isFirst, isLogged)
    addWindows(windows, event)
    const isUse = isFirst && event.body.state !== 'released'
    const user = entry(users, event.user_id, () => ({ id: event.user_id, spent: 0, requests: 0 }))
    user.spent += event.charge
    user.requests += isUse ? 1 : 0
    if (event.token_id > 0) {
      const token = entry(tokens, event.token_id, () => ({ id: event.token_id, charged: 0, used: 0, accessed_time: 0 }))
      token.charged += event.token_charge
      token.used += event.charge
      token.accessed_time = Math.max(token.accessed_time, Math.floor(event.at / 1000))
    }
    if (event.body.channel_id > 0) {
      const { shard, body } = event
      const made = { channel_id: body.channel_id, shard, used_quota: 0, requests: 0 }
      const channel = entry(channels, `${shard} ${body.channel_id}`, () => made)
      channel.used_quota += event.charge
      channel.requests += isUse ? 1 : 0
    }
  }
  return {
    hours: [...hours.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
    users: [...users.values()].toSorted((a, b) => a.id - b.id),
    tokens: [...tokens.values()].toSorted((a, b) => a.id - b.id),
    channels: [...channels.values()].toSorted((a, b) => a.channel_id - b.channel_id || a.shard - b.shard),
    windows: [...windows.values()].toSorted(
      (a, b) => a.budget_id - b.budget_id || a.user_id - b.user_id || a.window_start - b.window_start,
    ),
  }
}

/** The charge of an event counts in the windows in which its request was admitted. */
function addWindows(windows: Map<string, Mutable<WindowSpending>>, { budgets, user_id, token_id, charge }: PostedEvent): void {
  if (budgets === '') return
  for (const { id, account, start, end } of decodeBudgets(budgets)) {
    const made = { budget_id: id, user_id, token_id: account === 'token' ? token_id : 0, window_start: start, window_end: end, spent: 0 }
    entry(windows, `${id} ${user_id} ${start}`, () => made).spent += charge
  }
}

function addHour(hours: Map<string, HourSums>, event: PostedEvent, isFirst: boolean, isLogged: boolean): void {
  const { body } = event
  const key = {
    hour: Math.floor(event.at / 1000 / HOUR_SECONDS) * HOUR_SECONDS,
    user_id: event.user_id,
    token_id: event.token_id,
    channel_id: body.channel_id,
    model_name: body.model_name.slice(0, 255),
    group: body.group.slice(0, 64),
    token_name: body.token_name.slice(0, 255),
    type: logTypeOf(event),
  }
  const row: HourSums = entry(hours, JSON.stringify(Object.values(key)), () => ({
    ...key,
    requests: 0,
    quota: 0,
    token_quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    use_time_ms: 0,
    logged_requests: 0,
    logged_quota: 0,
    input_tokens: 0,
    cached_tokens: 0,
    latency: EMPTY_HISTOGRAM,
    first_token: EMPTY_HISTOGRAM,
    faults: 0,
  }))
  row.quota += event.charge
  row.token_quota += event.token_charge
  if (isFirst) {
    row.requests += 1
    row.prompt_tokens += Math.min(body.usage.prompt_tokens, MAX_TOKENS)
    row.completion_tokens += Math.min(body.usage.completion_tokens, MAX_TOKENS)
    row.use_time_ms += Math.round(body.duration_ms)
    row.input_tokens += Math.min(promptTokensOf(body.usage), MAX_TOKENS)
    row.faults += isFault(body) ? 1 : 0
    row.cached_tokens += Math.min(cachedTokensOf(body.usage), MAX_TOKENS)
    if (key.type === LogType.consume) {
      row.latency += toHistogram(body.duration_ms)
      if (body.is_stream && body.first_token_ms >= 0) row.first_token += toHistogram(body.first_token_ms)
    }
  }
  if (isLogged) {
    row.logged_requests += 1
    row.logged_quota += event.charge
  }
}

function cachedTokensOf({ cache_read, cache_read_image = 0, cache_read_audio = 0 }: Usage): number {
  return cache_read + cache_read_image + cache_read_audio
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
