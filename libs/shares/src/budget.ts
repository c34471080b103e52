/** Whose work it is. A part that is unknown is not limited. */
export type Owner = { readonly user?: number | string | undefined; readonly address?: string | undefined }

/**
 * 'full': the budget or its queue is used up; 'share': this user or address holds or waits for too much already; 'late': its turn did not
 * come before the deadline; 'aborted': the signal ended the wait.
 */
export type Refusal = 'full' | 'share' | 'late' | 'aborted'

/** Units of a budget that are held. */
export type Share = {
  readonly units: number
  /** Takes what is missing to this many units, without waiting. */
  cover(units: number): 'covered' | 'full' | 'share'
  /** Gives everything back; may be called more than once. */
  release(): void
}

export type BudgetLimits = {
  /** The name in metrics, like `heavy_reads`. */
  readonly name: string
  readonly total: number
  readonly perUser?: number
  readonly perAddress?: number
  /** Without it nothing waits. */
  readonly queue?: QueueLimits
}

type QueueLimits = {
  readonly maxWaitMs: number
  readonly maxWaiting: number
  /** Bound for one user, and for one address. */
  readonly maxWaitingPerOwner: number
}

type Waiter = { readonly owner: Owner; readonly units: number; end(result: Share | Refusal): void }

/** A total of units with a share of it per user and per address. */
export class Budget {
  readonly limits: BudgetLimits
  readonly #held = new Map<string, number>()
  readonly #waitingOf = new Map<string, number>()
  readonly #queue: Waiter[] = []
  readonly #refused: Record<Refusal, number> = { full: 0, share: 0, late: 0, aborted: 0 }
  #used = 0

  constructor(limits: BudgetLimits) {
    this.limits = limits
  }

  /** Units that are held. */
  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Refusals since the start, by reason. */
  get refused(): Readonly<Record<Refusal, number>> {
    return this.#refused
  }

  /** Users that hold their whole share. */
  usersAtLimit(): number[] {
    const { total, perUser = total } = this.limits
    return [...this.#held].flatMap(([key, units]) => (key.startsWith('u') && units >= perUser ? [Number(key.slice(1))] : []))
  }

  /** Takes units now, or not at all. */
  tryTake(owner: Owner, units = 1): Share | 'full' | 'share' {
    // Those that wait come first, but nothing waits behind what only another owner's share blocks.
    const result = this.#fit(owner, units) ?? (this.#next() === undefined ? undefined : 'full')
    if (result === undefined) return this.#grant(owner, units)
    this.#refused[result] += 1
    return result
  }

  /** Takes units when its turn comes. */
  async take(owner: Owner, { units = 1, signal }: { units?: number; signal?: AbortSignal } = {}): Promise<Share | Refusal> {
    const result = signal?.aborted === true ? 'aborted' : this.#enter(owner, units)
    const share = result === 'wait' ? await this.#wait(owner, units, signal) : result
    if (typeof share === 'string') this.#refused[share] += 1
    return share
  }

  #enter(owner: Owner, units: number): Share | Refusal | 'wait' {
    const { total, queue } = this.limits
    const problem = this.#fit(owner, units)
    if (problem === undefined && this.#queue.length === 0) return this.#grant(owner, units)
    if (queue === undefined) return problem ?? 'full'
    if (units > total || keysOf(owner).some((key) => units > this.#limitOf(key))) return 'share'
    if (this.#queue.length >= queue.maxWaiting) return 'full'
    return keysOf(owner).some((key) => (this.#waitingOf.get(key) ?? 0) >= queue.maxWaitingPerOwner) ? 'share' : 'wait'
  }

  #wait(owner: Owner, units: number, signal: AbortSignal | undefined): Promise<Share | Refusal> {
    const { promise, resolve } = Promise.withResolvers<Share | Refusal>()
    const onAbort = (): void => leave('aborted')
    const waiter: Waiter = {
      owner,
      units,
      end: (result) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.#queue.splice(this.#queue.indexOf(waiter), 1)
        for (const key of keysOf(owner)) add(this.#waitingOf, key, -1)
        resolve(result)
      },
    }
    const leave = (reason: Refusal): void => {
      waiter.end(reason)
      this.#serve()
    }
    const timer = setTimeout(() => leave('late'), this.limits.queue?.maxWaitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#queue.push(waiter)
    for (const key of keysOf(owner)) add(this.#waitingOf, key, 1)
    this.#serve()
    return promise
  }

  #serve(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#used + next.units > this.limits.total) return
      next.end(this.#grant(next.owner, next.units))
    }
  }

  /** The waiter whose turn it is: of those that their own share does not block, the owner that holds least, then the oldest. */
  #next(): Waiter | undefined {
    let best: Waiter | undefined
    for (const waiter of this.#queue) {
      if (this.#exceedsShare(waiter.owner, waiter.units)) continue
      if (best === undefined || this.#heldBy(waiter.owner) < this.#heldBy(best.owner)) best = waiter
    }
    return best
  }

  #fit(owner: Owner, units: number): 'full' | 'share' | undefined {
    if (this.#exceedsShare(owner, units)) return 'share'
    return this.#used + units > this.limits.total ? 'full' : undefined
  }

  #exceedsShare(owner: Owner, units: number): boolean {
    return keysOf(owner).some((key) => (this.#held.get(key) ?? 0) + units > this.#limitOf(key))
  }

  #limitOf(key: string): number {
    const { total, perUser = total, perAddress = total } = this.limits
    return key.startsWith('u') ? perUser : perAddress
  }

  #heldBy(owner: Owner): number {
    return Math.max(0, ...keysOf(owner).map((key) => this.#held.get(key) ?? 0))
  }

  #add(owner: Owner, units: number): void {
    this.#used += units
    for (const key of keysOf(owner)) add(this.#held, key, units)
  }

  #grant(owner: Owner, taken: number): Share {
    let units = taken
    this.#add(owner, units)
    return {
      get units() {
        return units
      },
      cover: (wanted) => {
        if (wanted <= units) return 'covered'
        const problem = this.#fit(owner, wanted - units)
        if (problem !== undefined) {
          this.#refused[problem] += 1
          return problem
        }
        this.#add(owner, wanted - units)
        units = wanted
        return 'covered'
      },
      release: () => {
        this.#add(owner, -units)
        units = 0
        this.#serve()
      },
    }
  }
}

function keysOf({ user, address }: Owner): string[] {
  return [...(user === undefined ? [] : [`u${user}`]), ...(address === undefined ? [] : [`a${address}`])]
}

/** An owner without units is forgotten. */
function add(counts: Map<string, number>, key: string, change: number): void {
  const sum = (counts.get(key) ?? 0) + change
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}
