import { Breaker, type BreakerUpdate, type BreakerState, type CallOutcome } from '@tollgate/domain/channel-health/breaker'
import { costReader, type CostReader } from '@tollgate/domain/channel-health/effective-cost'
import type { OpenBreaker } from '@tollgate/redis/stores/channel-activity'
import type { HealthRow } from '@tollgate/redis/stores/health-sync'
import type { ChannelKey } from '../request/channel-key.ts'
import { ChannelActivity } from './channel-activity.ts'

type Options = {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly onTripped?: () => void
}

/** Maximum number of breakers. Model names come from the configuration, so this is a safeguard, not a working limit. */
const MAX_CHANNEL_KEYS = 20_000
const MAX_LISTED = 2000
/** A revoked key fails for every model. */
const ANY_MODEL = '*'
/** Counts of other relays that are older than one window are ignored. */
const MAX_AGE_MS = 10_000

/** The breakers of all channel keys that have failed; a channel key without failures costs no memory. */
export class ChannelHealth {
  /** Counts for the console. */
  readonly activity = new ChannelActivity()
  /** How long channels take to answer, in milliseconds, as all relays saw it; empty while no strategy asks for it. */
  latencies: ReadonlyMap<number, number> = new Map()
  /** The cost of channels for a model, as the worker measured it. */
  costs: CostReader = costReader(undefined)
  readonly #channels = new Map<number, Map<string, Breaker>>()
  readonly #now: () => number
  readonly #onTripped: () => void
  #size = 0

  constructor({ now, onTripped }: Options) {
    this.#now = now
    this.#onTripped = onTripped ?? (() => undefined)
  }

  /** Undefined: no key of the channel failed recently. */
  of(channel_id: number, model: string): ((key_id: string) => BreakerState) | undefined {
    const channelKeys = this.#channels.get(channel_id)
    if (channelKeys === undefined) return undefined
    const now = this.#now()
    return (key_id) => {
      const whole = channelKeys.get(keyOf(ANY_MODEL, key_id))?.stateAt(now) ?? CLOSED
      return whole.kind === 'closed' ? (channelKeys.get(keyOf(model, key_id))?.stateAt(now) ?? CLOSED) : whole
    }
  }

  /** Called before a call. A half-open breaker lets no other call through until this one ends. */
  begin(channelKey: ChannelKey): void {
    for (const breaker of this.#breakersOf(channelKey)) breaker.beginProbe(this.#now())
  }

  /** Records the outcome of a call. */
  record(channelKey: ChannelKey, outcome: CallOutcome): void {
    this.activity.count(channelKey.channel_id, outcome)
    if (outcome.kind === 'ok' || outcome.kind === 'neutral') {
      for (const breaker of this.#breakersOf(channelKey)) breaker.record(outcome, this.#now())
      return
    }
    const model = outcome.kind === 'dead' ? ANY_MODEL : channelKey.model
    if (this.#get(channelKey.channel_id, keyOf(model, channelKey.key_id))?.record(outcome, this.#now()) === true) this.#onTripped()
  }

  /** The outcomes since the last call, for the other relays. */
  takeUpdate(): HealthRow[] {
    const rows: HealthRow[] = []
    for (const [channel_id, channelKeys] of this.#channels) {
      for (const [key, breaker] of channelKeys) {
        const update = breaker.takeUpdate(this.#now())
        if (update !== undefined) rows.push({ channel_id, ...channelKeyOf(key), ...update })
      }
    }
    return rows
  }

  /** Merges what another relay recorded `age_ms` ago. */
  merge(rows: readonly HealthRow[], age_ms: number): void {
    for (const row of rows) {
      const update = aged(row, age_ms)
      if (update === undefined) continue
      const key = keyOf(row.model, row.key_id)
      const isBad = update.failed > 0 || update.pause !== undefined
      const breaker = isBad ? this.#get(row.channel_id, key) : this.#channels.get(row.channel_id)?.get(key)
      if (breaker?.merge(update, this.#now()) === true) this.#onTripped()
    }
  }

  /** Removes breakers that no longer affect a choice. */
  sweep(): void {
    for (const [channel_id, channelKeys] of this.#channels) {
      for (const [key, breaker] of channelKeys) if (breaker.isDisposable(this.#now()) && channelKeys.delete(key)) this.#size -= 1
      if (channelKeys.size === 0) this.#channels.delete(channel_id)
    }
  }

  /** Breakers that are not closed. */
  countOpen(): number {
    const now = this.#now()
    const countIn = (channelKeys: ReadonlyMap<string, Breaker>) =>
      channelKeys.values().reduce((sum, breaker) => sum + (breaker.stateAt(now).kind === 'closed' ? 0 : 1), 0)
    return this.#channels.values().reduce((sum, channelKeys) => sum + countIn(channelKeys), 0)
  }

  /** The breakers that are not closed, for the console. */
  listOpen(): OpenBreaker[] {
    const now = this.#now()
    const rows: OpenBreaker[] = []
    for (const [channel_id, channelKeys] of this.#channels) {
      for (const [key, breaker] of channelKeys) {
        const state = breaker.stateAt(now)
        if (state.kind === 'closed') continue
        const detail = state.kind === 'open' ? { cause: state.cause, remaining_ms: state.remaining_ms } : { remaining_ms: 0 }
        rows.push({ channel_id, ...channelKeyOf(key), state: state.kind, ...detail })
        if (rows.length >= MAX_LISTED) return rows
      }
    }
    return rows
  }

  #breakersOf({ channel_id, model, key_id }: ChannelKey): readonly Breaker[] {
    const channelKeys = this.#channels.get(channel_id)
    if (channelKeys === undefined) return NONE
    return [channelKeys.get(keyOf(model, key_id)), channelKeys.get(keyOf(ANY_MODEL, key_id))].filter((breaker) => breaker !== undefined)
  }

  #get(channel_id: number, key: string): Breaker | undefined {
    const channelKeys = this.#channels.get(channel_id) ?? new Map<string, Breaker>()
    const found = channelKeys.get(key)
    if (found !== undefined || this.#size >= MAX_CHANNEL_KEYS) return found
    const made = new Breaker()
    this.#channels.set(channel_id, channelKeys.set(key, made))
    this.#size += 1
    return made
  }
}

const NONE: readonly Breaker[] = []
const CLOSED = { kind: 'closed' } as const
const keyOf = (model: string, key_id: string): string => `${key_id}|${model}`

function channelKeyOf(key: string): { model: string; key_id: string } {
  const at = key.indexOf('|')
  return { key_id: key.slice(0, at), model: key.slice(at + 1) }
}

function aged({ ok, failed, pause }: HealthRow, age_ms: number): BreakerUpdate | undefined {
  const left = (pause?.ms ?? 0) - age_ms
  const counts = age_ms < MAX_AGE_MS ? { ok, failed } : { ok: 0, failed: 0 }
  if (pause !== undefined && left > 0) return { ...counts, pause: { ms: left, cause: pause.cause } }
  return counts.ok + counts.failed > 0 ? counts : undefined
}
