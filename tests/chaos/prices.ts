import { must, type Api } from '../support/api.ts'
import type { InjectedFault } from './fault-injector.ts'
import { POSTGRES_SWAPS } from './swaps.ts'
import type { Random } from './random.ts'
import { MODELS, PRICES } from './script.ts'

/** Prices are those of `script.ts` times one of these. */
const FACTORS = [1, 2, 3] as const

/** `sent` and `confirmed` are Unix milliseconds; `confirmed` is 0 if the call was not answered: the price may be in force or not. */
export type PriceChange = { readonly model: string; readonly factor: number; readonly sent: number; confirmed: number }

/** Changes the price of a model by the console API, and notes it. */
export async function changePrice(api: Api, changes: PriceChange[], random: Random): Promise<void> {
  const model = random.pick(Object.values(MODELS))
  const last = changes.findLast((one) => one.model === model)?.factor ?? 1
  const factor = random.pick(FACTORS.filter((one) => one !== last))
  const [key, price] =
    model === MODELS.perCall ? (['ModelPrice', PRICES.call_usd * factor] as const) : (['ModelRatio', PRICES.ratio * factor] as const)
  const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
  const before = JSON.parse(options.find((one) => one.key === key)?.value ?? '{}') as object // the option's own value
  const change: PriceChange = { model, factor, sent: Date.now(), confirmed: 0 }
  changes.push(change)
  must(await api.put('/api/option/', { key, value: JSON.stringify({ ...before, [model]: price }) }))
  change.confirmed = Date.now()
}

/** How long relays may use a price after the change of it was answered: their poll of the snapshot's version, and a busy machine. */
const SPREAD_MS = 3000
/** After a fault of what a snapshot passes through, it is published and read again within this time. */
const RECOVERY_MS = 8000
const DELAYS: ReadonlySet<string> = new Set(['control-plane', 'postgres', 'redis'])

type Period = { readonly factor: number; readonly from: number; readonly until: number }
type Served = { readonly relay: string; readonly started_at: number; readonly ended_at: number }

/** Which factors a request may have been charged by: those that were in force at its relay at some moment between its start and its end. */
export class PriceAudit {
  readonly #periods = new Map<string, readonly Period[]>()
  readonly #injected: readonly InjectedFault[]
  /** Found before, by the time of the replacement and the relay: a long run has many requests, changes and faults. */
  readonly #usedUntilOf = new Map<string, number>()

  constructor(changes: readonly PriceChange[], injected: readonly InjectedFault[]) {
    this.#injected = injected
    for (const model of Object.values(MODELS)) {
      const mine = changes.filter((one) => one.model === model)
      this.#periods.set(model, toPeriods(mine, injected))
    }
  }

  /** The newest first. */
  factorsOf(model: string, { relay, started_at, ended_at }: Served): number[] {
    const end = ended_at || Infinity
    const found = this.#periods.get(model)?.filter(({ from, until }) => from <= end && this.#usedUntil(until, relay) >= started_at)
    return [...new Set(found?.map(({ factor }) => factor).toReversed())]
  }

  /** How long before `started_at` the factor was replaced for the last time; 0: it was in force. */
  ageOf(model: string, factor: number, { started_at, ended_at }: Served): number {
    const end = ended_at || Infinity
    const periods = (this.#periods.get(model) ?? []).filter((one) => one.factor === factor && one.from <= end)
    return Math.max(0, started_at - Math.max(...periods.map(({ until }) => until)))
  }

  /** When a relay may use a replaced price for the last time: later if a fault delays the snapshot. */
  #usedUntil(replaced: number, relay: string): number {
    const key = `${replaced} ${relay}`
    const known = this.#usedUntilOf.get(key)
    if (known !== undefined) return known
    let until = replaced + SPREAD_MS
    for (let from = replaced - SPREAD_MS; ;) {
      const delays = this.#injected.filter(
        (one) =>
          (DELAYS.has(one.target) || one.target === relay) && one.from <= until && endOf(one) >= from && endOf(one) + RECOVERY_MS > until,
      )
      if (delays.length === 0) break
      from = until
      until = Math.max(...delays.map(endOf)) + RECOVERY_MS
    }
    this.#usedUntilOf.set(key, until)
    return until
  }
}

const endOf = ({ to }: InjectedFault): number => (to === 0 ? Infinity : to)

/** When each price was in force. A Postgres that comes back older brings back those that were in force during that fault. */
function toPeriods(changes: readonly PriceChange[], injected: readonly InjectedFault[]): Period[] {
  const replacedAfter = (time: number): number =>
    changes.find(({ sent, confirmed }) => sent >= time && confirmed > 0)?.confirmed ?? Infinity
  let periods: Period[] = [{ factor: 1, from: 0, until: replacedAfter(0) }]
  for (const { factor, sent } of changes) periods.push({ factor, from: sent, until: replacedAfter(sent + 1) })
  for (const { from, to } of injected.filter(({ kind }) => POSTGRES_SWAPS.includes(kind))) {
    const end = to || Infinity
    periods = periods.map((one) =>
      one.from <= end && one.until >= from ? { ...one, until: Math.max(one.until, replacedAfter(end)) } : one,
    )
  }
  return periods
}
