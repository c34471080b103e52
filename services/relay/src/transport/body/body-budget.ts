/** Whose bytes these are. `user_id` is absent while the caller is not identified. */
export type BodyOwner = { readonly user_id?: number; readonly ip: string }

/** The bytes of one request body in the budget. */
export type BodyAccount = {
  /** Takes what is missing to this size. 'full': the budget is used up; 'share': the share of this user or address is. */
  cover(size: number): 'covered' | 'full' | 'share'
  /** Gives everything back; may be called more than once. */
  close(): void
}

/** Limits the bytes of request bodies and complete answers that one process keeps in memory. */
export type BodyBudget = {
  /** Takes bytes of an answer; false: they do not fit. */
  take(bytes: number): boolean
  give(bytes: number): void
  /** Opens the account of one request body, whose bytes also count in the shares of its user and address. */
  open(owner: BodyOwner): BodyAccount
  readonly used: number
}

type Limits = {
  readonly total: number
  /** A share is never smaller than one body. */
  readonly max_body: number
}

/** Part of the budget that one user may fill, so that no user can stop the others. */
const USER_SHARE = 1 / 4
/** An address may stand for many users. */
const ADDRESS_SHARE = 1 / 2

export function createBodyBudget({ total, max_body }: Limits): BodyBudget {
  return new Budget(total, {
    user: Math.min(total, Math.max(total * USER_SHARE, max_body)),
    address: Math.min(total, Math.max(total * ADDRESS_SHARE, max_body)),
  })
}

class Budget implements BodyBudget {
  readonly #total: number
  readonly #shares: { readonly user: number; readonly address: number }
  readonly #users = new Map<number, number>()
  readonly #addresses = new Map<string, number>()
  #used = 0

  constructor(total: number, shares: { readonly user: number; readonly address: number }) {
    this.#total = total
    this.#shares = shares
  }

  get used(): number {
    return this.#used
  }

  take(bytes: number): boolean {
    if (this.#used + bytes > this.#total) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
  }

  open(owner: BodyOwner): BodyAccount {
    return new Account(this, owner)
  }

  takeFor({ user_id, ip }: BodyOwner, bytes: number): 'covered' | 'full' | 'share' {
    const ofUser = user_id === undefined ? 0 : (this.#users.get(user_id) ?? 0) + bytes
    const ofAddress = (this.#addresses.get(ip) ?? 0) + bytes
    if (ofUser > this.#shares.user || ofAddress > this.#shares.address) return 'share'
    if (!this.take(bytes)) return 'full'
    if (user_id !== undefined) this.#users.set(user_id, ofUser)
    this.#addresses.set(ip, ofAddress)
    return 'covered'
  }

  giveFor({ user_id, ip }: BodyOwner, bytes: number): void {
    this.give(bytes)
    if (user_id !== undefined) reduce(this.#users, user_id, bytes)
    reduce(this.#addresses, ip, bytes)
  }
}

/** An owner without bytes is forgotten. */
function reduce<K>(held: Map<K, number>, key: K, bytes: number): void {
  const left = (held.get(key) ?? 0) - bytes
  if (left > 0) held.set(key, left)
  else held.delete(key)
}

class Account implements BodyAccount {
  readonly #budget: Budget
  readonly #owner: BodyOwner
  #taken = 0

  constructor(budget: Budget, owner: BodyOwner) {
    this.#budget = budget
    this.#owner = owner
  }

  cover(size: number): 'covered' | 'full' | 'share' {
    if (size <= this.#taken) return 'covered'
    const result = this.#budget.takeFor(this.#owner, size - this.#taken)
    if (result === 'covered') this.#taken = size
    return result
  }

  close(): void {
    if (this.#taken === 0) return
    this.#budget.giveFor(this.#owner, this.#taken)
    this.#taken = 0
  }
}
