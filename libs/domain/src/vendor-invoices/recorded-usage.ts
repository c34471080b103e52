import type { RecordedSums } from '@tollgate/contracts/resources/vendor-invoices'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { Decimal } from '../pricing/decimal.ts'
import type { DaySpan } from './days.ts'

/** Tokens of requests, and how many requests they are of. */
export type Counted = { readonly requests: number; readonly input: number; readonly cached: number; readonly output: number }

/** Recorded requests of a channel and model. `input` includes cached tokens. */
export type Recorded = Counted & {
  /** The vendor's charge by the price of this site and the cost ratio. */
  readonly dollars: Decimal
  readonly charged: Decimal
  /** Calls that failed after they were sent, and the input of their requests; a vendor may charge them. */
  readonly retried: Counted
  /** Requests that their client left, or whose relay died. */
  readonly aborted: Counted
  /** Requests whose usage the vendor did not state, so that it was counted here. */
  readonly estimated: Counted
  /** The prices of the requests, as texts that differ where prices differ. */
  readonly prices: ReadonlySet<string>
}

const NONE: Counted = { requests: 0, input: 0, cached: 0, output: 0 }
export const NOTHING_RECORDED: Recorded = {
  ...NONE,
  dollars: Decimal.zero,
  charged: Decimal.zero,
  retried: NONE,
  aborted: NONE,
  estimated: NONE,
  prices: new Set(),
}

const addCounted = (a: Counted, b: Counted): Counted => ({
  requests: a.requests + b.requests,
  input: a.input + b.input,
  cached: a.cached + b.cached,
  output: a.output + b.output,
})

export const addRecorded = (a: Recorded, b: Recorded): Recorded => ({
  ...addCounted(a, b),
  dollars: a.dollars.plus(b.dollars),
  charged: a.charged.plus(b.charged),
  retried: addCounted(a.retried, b.retried),
  aborted: addCounted(a.aborted, b.aborted),
  estimated: addCounted(a.estimated, b.estimated),
  prices: b.prices.size === 0 ? a.prices : new Set([...a.prices, ...b.prices]),
})

export const toRecordedSums = ({ requests, input, cached, output, dollars, charged }: Recorded): RecordedSums => ({
  requests,
  input,
  cached,
  output,
  dollars: dollars.toString(),
  charged: charged.toString(),
})

/** Zones differ from UTC by whole quarters of an hour. */
const SLOT = 900

/** Usage of each channel and model in the log, by quarters of an hour, so that days of any time zone can be made of it. */
export class RecordedUsage {
  readonly #slots = new Map<number, Map<string, Map<number, Recorded>>>()

  add(channel_id: number, model: string, at: UnixSeconds, recorded: Partial<Recorded>): void {
    const models = this.#slots.get(channel_id) ?? new Map<string, Map<number, Recorded>>()
    this.#slots.set(channel_id, models)
    const slots = models.get(model) ?? new Map<number, Recorded>()
    models.set(model, slots)
    const slot = Math.floor(at / SLOT)
    slots.set(slot, addRecorded(slots.get(slot) ?? NOTHING_RECORDED, { ...NOTHING_RECORDED, ...recorded }))
  }

  get channels(): number[] {
    return [...this.#slots.keys()]
  }

  models(channel_ids: readonly number[]): string[] {
    return [...new Set(channel_ids.flatMap((id) => [...(this.#slots.get(id)?.keys() ?? [])]))]
  }

  /** Undefined: nothing. */
  sum(channel_ids: readonly number[], model: string, { start, end }: Pick<DaySpan, 'start' | 'end'>): Recorded | undefined {
    let found: Recorded | undefined
    for (const id of channel_ids) {
      const slots = this.#slots.get(id)?.get(model)
      if (slots === undefined) continue
      for (let slot = start / SLOT; slot < end / SLOT; slot += 1) {
        const recorded = slots.get(slot)
        if (recorded !== undefined) found = found === undefined ? recorded : addRecorded(found, recorded)
      }
    }
    return found
  }
}
