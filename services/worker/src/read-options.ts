import { sealedBy } from '@tollgate/config/sealing'
import { readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import { listOptions } from '@tollgate/db/queries/options'
import type { Deps } from './deps.ts'

/** These options with their defaults, secrets unsealed, in one query. */
export async function readOptions<K extends OptionKey>(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  keys: readonly K[],
): Promise<Pick<OptionValues, K>> {
  const stored = new Map((await listOptions(db)).map((row) => [row.key, row]))
  const textOf = (key: string): string | undefined => {
    const row = stored.get(key)
    return row?.is_sealed === true ? secrets.unseal(row.value, sealedBy.option(key)) : row?.value
  }
  // Each value is decoded from the row of its own key.
  return Object.fromEntries(keys.map((key) => [key, readOption(key, textOf(key))])) as Pick<OptionValues, K>
}
