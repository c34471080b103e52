import type { ReplayLine, ReplayResult } from '@tollgate/contracts/resources/prices'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import type { Quota } from '@tollgate/contracts/units'

type Sum = { name: string; requests: number; before: Quota; after: Quota }
type Charged = { readonly user_id: number; readonly username: string; readonly quota: Quota }

const LISTED = 100
/** Bounds the memory of a replay; the rest is in the totals. */
const MAX_USERS = 100_000

/** Sums of the charges before and after, in all, by model, by user and by group. */
export class ReplaySums {
  readonly #models = new Map<string, Sum>()
  readonly #users = new Map<number, Sum>()
  readonly #groups = new Map<string, Sum>()
  readonly #total: Sum = { name: '', requests: 0, before: 0, after: 0 }
  readonly #unpriced = { requests: 0, before: 0 }

  get requests(): number {
    return this.#total.requests
  }

  /** `after` is undefined where the new prices have none for the request. */
  add({ user_id, username, quota }: Charged, { model, group }: Pick<Quote, 'model' | 'group'>, after: Quota | undefined): void {
    const cost = after ?? 0
    addTo(this.#total, quota, cost)
    addTo(sumIn(this.#models, model, model, Infinity), quota, cost)
    addTo(sumIn(this.#users, user_id, username, MAX_USERS), quota, cost)
    addTo(sumIn(this.#groups, group, group, Infinity), quota, cost)
    if (after !== undefined) return
    this.#unpriced.requests += 1
    this.#unpriced.before += quota
  }

  /** `charges`: how many there are, with those that cannot be priced again. */
  result(charges: number): ReplayResult {
    const { requests, before, after } = this.#total
    return {
      requests,
      before,
      after,
      unpriced: this.#unpriced,
      models: largest(this.#models),
      users: largest(this.#users),
      groups: largest(this.#groups),
      more_models: Math.max(0, this.#models.size - LISTED),
      more_users: Math.max(0, this.#users.size - LISTED),
      more_groups: Math.max(0, this.#groups.size - LISTED),
      charges,
    }
  }
}

function addTo(sum: Sum | undefined, before: Quota, after: Quota): void {
  if (sum === undefined) return
  sum.requests += 1
  sum.before += before
  sum.after += after
}

function sumIn<Key>(sums: Map<Key, Sum>, key: Key, name: string, most: number): Sum | undefined {
  const found = sums.get(key)
  if (found !== undefined || sums.size >= most) return found
  const made = { name, requests: 0, before: 0, after: 0 }
  sums.set(key, made)
  return made
}

/** Those that change most, then those that cost most. */
function largest(sums: ReadonlyMap<unknown, Sum>): ReplayLine[] {
  const change = ({ before, after }: Sum): number => Math.abs(after - before)
  return [...sums.values()].toSorted((a, b) => change(b) - change(a) || b.before - a.before).slice(0, LISTED)
}
