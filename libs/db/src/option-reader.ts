import { optionKeys, readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { Db, Tx } from './connect.ts'
import { findOption, listOptions, type OptionRow } from './queries/installation/options.ts'

/** Reads the operator's options from Postgres on every call, typed and validated, with defaults. */
export type OptionReader = {
  get<K extends OptionKey>(key: K, db?: Db | Tx): Promise<OptionValues[K]>
  /** Reads these options in one query. */
  pick<K extends OptionKey>(keys: readonly K[], db?: Db | Tx): Promise<Pick<OptionValues, K>>
  all(db?: Db | Tx): Promise<OptionValues>
}

/** `unseal` opens the stored value of a secret; it is called for no other option. */
export function createOptionReader(db: Db, unseal: (sealed: string, key: string) => string): OptionReader {
  const textOf = (row: OptionRow | undefined): string | undefined => (row?.is_sealed === true ? unseal(row.value, row.key) : row?.value)
  const pick = async <K extends OptionKey>(keys: readonly K[], on: Db | Tx = db): Promise<Pick<OptionValues, K>> => {
    const stored = new Map((await listOptions(on)).map((row) => [row.key, row]))
    // Each value is decoded from the row of its own key.
    return Object.fromEntries(keys.map((key) => [key, readOption(key, textOf(stored.get(key)))])) as Pick<OptionValues, K>
  }
  return {
    get: async (key, on = db) => readOption(key, textOf(await findOption(on, key))),
    pick,
    all: (on) => pick(optionKeys, on),
  }
}
