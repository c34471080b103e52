/** Limits the bytes of request bodies and complete answers that one process keeps in memory. */
export type BodyBudget = {
  /** Takes bytes; false: they do not fit. */
  take(bytes: number): boolean
  give(bytes: number): void
  readonly used: number
}

export function createBodyBudget(limit: number): BodyBudget {
  let used = 0
  return {
    take: (bytes) => {
      if (used + bytes > limit) return false
      used += bytes
      return true
    },
    give: (bytes) => {
      used -= bytes
    },
    // oxlint-disable-next-line tollgate/no-object-getter -- made once per process
    get used() {
      return used
    },
  }
}
