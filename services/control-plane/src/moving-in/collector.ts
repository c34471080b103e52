import { IMPORT_KINDS, type ImportKind, type RecordNote } from '@tollgate/contracts/moving-in/records'
import { MAX_LISTED, type ImportCounts, type ImportItem } from '@tollgate/contracts/moving-in/report'

type List = 'refused' | 'changed' | 'decisions'
export type Listed = { readonly list: List; readonly item: ImportItem }
export type Count = keyof ImportCounts

const NONE: ImportCounts = { read: 0, created: 0, updated: 0, same: 0, skipped: 0, refused: 0 }

/** Notes that ask for a decision. */
const TO_DECIDE: ReadonlySet<string> = new Set(['no-budget', 'budget', 'budget-of-account', 'models', 'limits', 'rotation'])

/** Findings of a run, bounded: of each code only the first rows are listed. */
export class Collector {
  readonly counts = new Map<ImportKind, Record<Count, number>>(IMPORT_KINDS.map((kind) => [kind, { ...NONE }]))
  readonly lists: Readonly<Record<List, ImportItem[]>> = { refused: [], changed: [], decisions: [] }
  readonly #listed = new Map<string, number>()
  #names: ReadonlyMap<string, string> = new Map()
  #recent: Listed[] | undefined

  /** Names of the rows that are listed from now on, by where these are. */
  nameRows(names: ReadonlyMap<string, string>): void {
    this.#names = names
  }

  /** The result of the work, and all that it listed, also beyond the bound. */
  async during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly listed: readonly Listed[] }> {
    const listed: Listed[] = []
    this.#recent = listed
    try {
      return { result: await work(), listed }
    } finally {
      this.#recent = undefined
    }
  }

  add(kind: ImportKind, count: Count, amount = 1): void {
    const counts = this.counts.get(kind)
    if (counts !== undefined) counts[count] += amount
  }

  list(list: List, given: ImportItem): void {
    const name = given.name ?? this.#names.get(given.at)
    const item = name === undefined || name === '' ? given : { ...given, name }
    this.#recent?.push({ list, item })
    const key = `${list} ${item.code}`
    const listed = (this.#listed.get(key) ?? 0) + 1
    this.#listed.set(key, listed)
    if (listed <= MAX_LISTED) this.lists[list].push(item)
  }

  refuse(kind: ImportKind, item: ImportItem): void {
    this.add(kind, 'refused')
    this.list('refused', item)
  }

  note(
    kind: ImportKind,
    { origin, notes }: { readonly origin: { readonly table: string; readonly id: string }; readonly notes: readonly RecordNote[] },
  ): void {
    for (const { code, detail } of notes)
      this.list(TO_DECIDE.has(code) ? 'decisions' : 'changed', { kind, at: `${origin.table} ${origin.id}`, code, detail })
  }

  /** Rows beyond those that are listed, by list and code. */
  get more(): Record<string, number> {
    const beyond = [...this.#listed].flatMap(([key, listed]) => (listed > MAX_LISTED ? [[key, listed - MAX_LISTED] as const] : []))
    return Object.fromEntries(beyond)
  }

  /** A state to which `restore` returns: what a transaction found is void when it is rolled back. */
  mark(): () => void {
    const counts = [...this.counts].map(([kind, values]) => [kind, { ...values }] as const)
    const lengths = { refused: this.lists.refused.length, changed: this.lists.changed.length, decisions: this.lists.decisions.length }
    const listed = new Map(this.#listed)
    return () => {
      for (const [kind, values] of counts) this.counts.set(kind, values)
      this.lists.refused.length = lengths.refused
      this.lists.changed.length = lengths.changed
      this.lists.decisions.length = lengths.decisions
      this.#listed.clear()
      for (const [key, value] of listed) this.#listed.set(key, value)
    }
  }
}
