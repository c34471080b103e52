/** Ids of what earlier calls made, by account and kind. */
export type MadeIds = {
  /** Keeps the id that an answer names. */
  note(account: string, kind: string, body: string): void
  /** One of the last; `none` before there is one. */
  pick(account: string, kind: string, at: number): string
}

const KEPT = 8
const FIRST_ID = /"(?:id|name|task_id)":\s*"(?:[a-z]+\/)*([\w.-]{1,100})"/i

export function createMadeIds(): MadeIds {
  const made = new Map<string, string[]>()
  return {
    note: (account, kind, body) => {
      const id = FIRST_ID.exec(body)?.[1]
      if (id === undefined) return
      const key = `${account} ${kind}`
      made.set(key, [id, ...(made.get(key) ?? [])].slice(0, KEPT))
    },
    pick: (account, kind, at) => {
      const ids = made.get(`${account} ${kind}`) ?? []
      return ids[at % Math.max(1, ids.length)] ?? 'none'
    },
  }
}
