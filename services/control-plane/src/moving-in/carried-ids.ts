import type { Db, Tx } from '@tollgate/db/connect'
import { listCarried, takeIds, type NumberedKind } from '@tollgate/db/queries/moving-in/imports'

/** Ids of a dry run: beyond all that a table can have. */
const DRY_IDS = 1_000_000_000_000

/** Which row of this gateway a row of the source became. A dry run keeps nothing in Postgres, so that it remembers its own. */
export class CarriedIds {
  readonly #dry = new Map<string, Map<number, number>>()
  #next = DRY_IDS
  readonly #name: string
  readonly #isDryRun: boolean

  constructor(name: string, isDryRun: boolean) {
    this.#name = name
    this.#isDryRun = isDryRun
  }

  async take(tx: Tx, kind: NumberedKind, wanted: readonly number[]): Promise<number[]> {
    return this.#isDryRun ? wanted.map(() => (this.#next += 1)) : await takeIds(tx, kind, wanted)
  }

  remember(kind: string, pairs: readonly (readonly [number, number])[]): void {
    if (!this.#isDryRun) return
    const known = this.#dry.get(kind) ?? new Map<number, number>()
    for (const [source, target] of pairs) known.set(source, target)
    this.#dry.set(kind, known)
  }

  async resolve(db: Db | Tx, kind: string, sources: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const wanted = [...new Set(sources)].filter((id) => id > 0)
    const found = new Map<number, number>()
    for (const id of wanted) {
      const dry = this.#dry.get(kind)?.get(id)
      if (dry !== undefined) found.set(id, dry)
    }
    const missing = wanted.filter((id) => !found.has(id)).map(String)
    for (const row of await listCarried(db, { name: this.#name, kind, ids: missing })) found.set(Number(row.source_id), row.target_id)
    return found
  }
}
