import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { optionKeys, readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { Db, Tx } from '@tollgate/db/connect'
import { findOption, listOptions, type OptionRow } from '@tollgate/db/queries/options'

/** Reads the operator's options from Postgres on every call, typed and validated, with defaults. */
export type OptionReader = {
  get<K extends OptionKey>(key: K, db?: Db | Tx): Promise<OptionValues[K]>
  /** Reads several options in one query. */
  all(db?: Db | Tx): Promise<OptionValues>
}

export function createOptionReader(db: Db, sealer: Sealer): OptionReader {
  const textOf = (row: OptionRow | undefined): string | undefined => {
    if (row === undefined) return undefined
    return row.is_sealed ? sealer.unseal(row.value, sealedBy.option(row.key)) : row.value
  }
  return {
    get: async (key, on = db) => readOption(key, textOf(await findOption(on, key))),
    all: async (on = db) => {
      const stored = new Map((await listOptions(on)).map((row) => [row.key, row]))
      // Each value is decoded from the row of its own key.
      return Object.fromEntries(optionKeys.map((key) => [key, readOption(key, textOf(stored.get(key)))])) as OptionValues
    },
  }
}
