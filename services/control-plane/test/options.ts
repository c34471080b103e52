import { sealedBy } from '@tollgate/config/sealing'
import { optionOf, type OptionKey } from '@tollgate/contracts/options/registry'
import { saveOption } from '@tollgate/db/queries/installation/options'
import type { Deps } from '../src/deps.ts'

/** Stores options as the settings page does, without its checks. */
export async function setOptions(deps: Pick<Deps, 'db' | 'sealers'>, values: Partial<Record<OptionKey, string>>): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    for (const [key, text] of Object.entries(values)) {
      const is_sealed = optionOf(key as OptionKey).isSecret // the keys of the type above
      const value = is_sealed ? deps.sealers.options.seal(text, sealedBy.option(key)) : text
      await saveOption(tx, { key, value, is_sealed, updated_at: 1, updated_by: 0 })
    }
  })
}
