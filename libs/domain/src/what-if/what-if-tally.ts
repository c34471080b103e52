import type { MissingFact, WhatIfLine, WhatIfPoint, WhatIfResult, WhatIfSums } from '@tollgate/contracts/resources/what-if'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { quotaOf } from '../pricing/charge.ts'
import type { ReplayedCall, ReplayedRequest } from './replay-request.ts'

/** A recorded request with its money. */
export type ChargedRequest = {
  readonly at: UnixSeconds
  readonly user_id: number
  readonly username: string
  /** The model that was asked for. */
  readonly asked: string
  /** The group and model that it was charged for, and the channel that served it; 0: none. */
  readonly group: string
  readonly model: string
  readonly channel_id: number
  readonly quota: Quota
  readonly usage: Usage
  readonly quote: Quote
  readonly duration_ms: number
}

/** How requests are priced, and what is known about channels. */
export type TallyFacts = {
  /** A quote at the prices of the configuration, for this model and group: the same one if they do not change it; undefined: they have none. */
  readonly requote: (quote: Quote, served: Served) => Quote | undefined
  /** The same at the prices of now, by which vendors are paid; undefined: they have none. */
  readonly listQuote: (quote: Quote, served: Served) => Quote | undefined
  readonly hasPrices: boolean
  readonly costRatioOf: (channel_id: number, model: string, when: 'before' | 'after') => number
  readonly nameOf: (channel_id: number) => string
  /** Milliseconds that a call of a channel takes, answered or failed. */
  readonly callMsOf: (call: ReplayedCall) => number | undefined
}
export type Served = { readonly model: string; readonly group: string }

type Replayed = Extract<ReplayedRequest, { kind: 'replayed' }>
type Sums = { -readonly [key in keyof WhatIfSums]: WhatIfSums[key] }
type Line = { readonly id: number; readonly name: string; readonly before: Sums; readonly after: Sums }

const LISTED = 100
/** Bounds the memory of a replay; the rest is in the totals. */
const MAX_USERS = 100_000
const MAX_POINTS = 60
const STEPS = [60, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400]

const noSums = (): Sums => ({ requests: 0, attempts: 0, failures: 0, cost: 0, revenue: 0, ms: 0 })
const noLine = (id: number, name: string): Line => ({ id, name, before: noSums(), after: noSums() })

/** Adds up how requests went and how they would have gone, in bounded memory. */
export class WhatIfTally {
  readonly #facts: TallyFacts
  readonly #since: UnixSeconds
  readonly #step: number
  readonly #total = noLine(0, '')
  readonly #channels = new Map<number, Line>()
  readonly #models = new Map<string, Line>()
  readonly #users = new Map<number, Line>()
  readonly #points: Line[]
  readonly #missing: Record<MissingFact, number> = { choice: 0, cut: 0, differs: 0, groups: 0 }
  readonly #counts = { changed: 0, newly_answered: 0, newly_failed: 0, by_rate: 0, unmeasured: 0, unpriced: 0, missing_revenue: 0 }

  constructor(facts: TallyFacts, { since, until }: { readonly since: UnixSeconds; readonly until: UnixSeconds }) {
    this.#facts = facts
    this.#since = since
    const width = Math.max(1, until - since)
    this.#step = STEPS.find((step) => width / step <= MAX_POINTS) ?? 86_400
    this.#points = Array.from({ length: Math.ceil(width / this.#step) }, () => noLine(0, ''))
  }

  get requests(): number {
    return this.#total.before.requests
  }

  /** `recorded`: the calls of the record. */
  add(request: ChargedRequest, recorded: readonly ReplayedCall[], replayed: ReplayedRequest): void {
    const counts = this.#counts
    if (replayed.kind === 'missing') {
      this.#missing[replayed.fact] += 1
      counts.missing_revenue += request.quota
      return
    }
    const before = this.#before(request, recorded)
    const after = replayed.is_same && !this.#facts.hasPrices ? this.#sameAs(request, before) : this.#after(request, recorded, replayed)
    if (!replayed.is_same) counts.changed += 1
    if (before.failures === 1 && after.failures === 0) counts.newly_answered += 1
    if (before.failures === 0 && after.failures === 1) counts.newly_failed += 1
    const bases = new Set(replayed.calls.map(({ basis }) => basis))
    if (bases.has('rate')) counts.by_rate += 1
    if (bases.has('unmeasured')) counts.unmeasured += 1
    this.#addTo(this.#total, before, after)
    this.#addTo(lineIn(this.#models, request.asked, request.asked, 0), before, after)
    this.#addTo(
      this.#users.size < MAX_USERS || this.#users.has(request.user_id)
        ? lineIn(this.#users, request.user_id, request.username, request.user_id)
        : undefined,
      before,
      after,
    )
    this.#addTo(this.#points[Math.floor((request.at - this.#since) / this.#step)], before, after)
    this.#addCalls(recorded, before, 'before', isCharged(request) ? request.channel_id : 0)
    this.#addCalls(replayed.calls, after, 'after', servedBy(replayed, recorded, request))
  }

  #before(request: ChargedRequest, recorded: readonly ReplayedCall[]): Sums {
    const { channel_id, model, quota, duration_ms } = request
    const is_answered = recorded.at(-1)?.is_answered === true
    const cost = listCost(request.quote, request) * this.#facts.costRatioOf(channel_id, model, 'before')
    return {
      requests: 1,
      attempts: recorded.length,
      failures: is_answered ? 0 : 1,
      cost: channel_id === 0 ? 0 : cost,
      revenue: quota,
      ms: is_answered ? duration_ms : 0,
    }
  }

  /** The same calls: only the price of the vendor can differ. */
  #sameAs(request: ChargedRequest, before: Sums): Sums {
    const { channel_id, model } = request
    const ratio = this.#facts.costRatioOf(channel_id, model, 'after')
    if (channel_id === 0 || ratio === this.#facts.costRatioOf(channel_id, model, 'before')) return { ...before }
    return { ...before, cost: listCost(request.quote, request) * ratio }
  }

  #after(request: ChargedRequest, recorded: readonly ReplayedCall[], { calls, is_same }: Replayed): Sums {
    const last = calls.at(-1)
    const is_answered = last?.is_answered === true
    const sums = {
      requests: 1,
      attempts: calls.length,
      failures: is_answered ? 0 : 1,
      cost: 0,
      revenue: 0,
      ms: is_answered ? this.#msOf(request, recorded, calls) : 0,
    }
    const isEnded = is_same || (last !== undefined && isPaid(last, recorded))
    if (!isEnded || !isCharged(request) || (is_same && request.channel_id === 0)) return sums
    const served: Served & { readonly channel_id: number } = is_same || last === undefined ? request : last
    const isMoved = served.model !== request.model || served.group !== request.group
    const quote = this.#facts.hasPrices || isMoved ? this.#facts.requote(request.quote, served) : request.quote
    if (quote === undefined) {
      this.#counts.unpriced += 1
      return { ...sums, failures: 1, ms: 0 }
    }
    const list = isMoved ? (this.#facts.listQuote(request.quote, served) ?? quote) : request.quote
    const ratio = this.#facts.costRatioOf(served.channel_id, served.model, 'after')
    const revenue = quote === request.quote ? request.quota : quotaOf(quote, request.usage)
    return { ...sums, revenue, cost: (isMoved ? listCostOf(list, request.usage) : listCost(list, request)) * ratio }
  }

  /** The recorded time, with the calls that would have been made in place of those that were. */
  #msOf({ duration_ms }: ChargedRequest, recorded: readonly ReplayedCall[], calls: readonly ReplayedCall[]): number {
    const own = (call: ReplayedCall): number | undefined =>
      call.attempt === undefined ? undefined : call.attempt.ended_ms - call.attempt.started_ms
    const spent = recorded.reduce((sum, call) => sum + (own(call) ?? 0), 0)
    const answer = recorded.at(-1)
    const typical = answer === undefined ? 0 : (own(answer) ?? 0)
    const next = calls.reduce((sum, call) => sum + (own(call) ?? this.#facts.callMsOf(call) ?? typical), 0)
    return Math.max(0, duration_ms - spent + next)
  }

  #addTo(line: Line | undefined, before: Sums, after: Sums): void {
    if (line === undefined) return
    addSums(line.before, before)
    addSums(line.after, after)
  }

  #addCalls(calls: readonly ReplayedCall[], sums: Sums, when: 'before' | 'after', served: number): void {
    for (const { channel_id, is_answered } of calls) {
      const own = this.#channel(channel_id)[when]
      own.attempts += 1
      if (!is_answered) own.failures += 1
    }
    if (served === 0) return
    const own = this.#channel(served)[when]
    own.requests += 1
    own.cost += sums.cost
    own.revenue += sums.revenue
    own.ms += sums.ms
  }

  #channel(id: number): Line {
    const found = this.#channels.get(id)
    if (found !== undefined) return found
    const made = noLine(id, this.#facts.nameOf(id))
    this.#channels.set(id, made)
    return made
  }

  result(): WhatIfResult {
    const { missing_revenue, ...counts } = this.#counts
    return {
      requests: this.requests,
      ...counts,
      missing: this.#missing,
      missing_revenue,
      total: { before: rounded(this.#total.before), after: rounded(this.#total.after) },
      channels: largest(this.#channels),
      models: largest(this.#models),
      users: largest(this.#users),
      more_channels: Math.max(0, this.#channels.size - LISTED),
      more_models: Math.max(0, this.#models.size - LISTED),
      more_users: Math.max(0, this.#users.size - LISTED),
      step: this.#step,
      series: this.#points.map(({ before, after }, at): WhatIfPoint => ({
        at: this.#since + at * this.#step,
        before: rounded(before),
        after: rounded(after),
      })),
    }
  }
}

/** The channel that the money of a request goes to; 0: none. */
function servedBy({ calls, is_same }: Replayed, recorded: readonly ReplayedCall[], request: ChargedRequest): number {
  if (!isCharged(request)) return 0
  if (is_same) return request.channel_id
  const last = calls.at(-1)
  return last !== undefined && isPaid(last, recorded) ? last.channel_id : 0
}

/** It was answered, or ended without an answer as it did in the record. */
const isPaid = (last: ReplayedCall, recorded: readonly ReplayedCall[]): boolean =>
  last.is_answered || (last.basis === 'recorded' && recorded.at(-1)?.is_answered !== true)

const isCharged = ({ usage, quota }: ChargedRequest): boolean => quota !== 0 || usage.source !== 'none'

/** The charge without the group's ratio. */
function listCost(quote: Quote, { quota, usage }: ChargedRequest): number {
  return quote.group_ratio > 0 ? quota / quote.group_ratio : listCostOf(quote, usage)
}

const listCostOf = (quote: Quote, usage: Usage): number => quotaOf({ ...quote, group_ratio: 1 }, usage)

function lineIn<Key>(lines: Map<Key, Line>, key: Key, name: string, id: number): Line {
  const found = lines.get(key)
  if (found !== undefined) return found
  const made = noLine(id, name)
  lines.set(key, made)
  return made
}

function addSums(to: Sums, own: Sums): void {
  to.requests += own.requests
  to.attempts += own.attempts
  to.failures += own.failures
  to.cost += own.cost
  to.revenue += own.revenue
  to.ms += own.ms
}

const rounded = ({ cost, ms, ...sums }: Sums): WhatIfSums => ({ ...sums, cost: Math.round(cost), ms: Math.round(ms) })

/** Those that change most, then those with most requests. */
function largest(lines: ReadonlyMap<unknown, Line>): WhatIfLine[] {
  const change = ({ before, after }: Line): number =>
    Math.abs(after.cost - before.cost) + Math.abs(after.revenue - before.revenue) + Math.abs(after.requests - before.requests)
  return [...lines.values()]
    .toSorted((a, b) => change(b) - change(a) || b.before.requests - a.before.requests)
    .slice(0, LISTED)
    .map(({ id, name, before, after }) => ({ id, name, before: rounded(before), after: rounded(after) }))
}
