import { AppError } from '@tollgate/contracts/app-error'
import { isOptionKey, optionOf, readOption, type OptionValues } from '@tollgate/contracts/options/registry'
import { listTransferred } from '@tollgate/db/queries/channels/channels'
import { recordKey } from '@tollgate/domain/config-plan/plan'
import { isEqual } from '@tollgate/domain/param-override/equal'
import type { Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { toFileChannel } from './channel-records.ts'
import { actualEntries, type EntryKind } from './entry-records.ts'
import { exportAccounts, type AskedAccounts, type ExportedAccounts } from './export-accounts.ts'
import { actualOptions } from './option-records.ts'

type Exported = ExportedAccounts & {
  readonly options: Record<string, unknown>
  readonly groups: Record<string, unknown>
  readonly prices: Record<string, unknown>
  readonly channels: Record<string, unknown>[]
}

/** The configuration as the content of files: channels and groups, and what differs from the defaults. Secrets stay where they are. */
export async function exportConfig(deps: Deps, asked: AskedAccounts): Promise<Exported> {
  return await withReadSnapshot(deps, async (tx) => {
    const values = await deps.options.all(tx)
    const rows = await listTransferred(tx)
    const repeated = [...Map.groupBy(rows, ({ name }) => name)].filter(([name, same]) => name.trim() === '' || same.length > 1)
    if (repeated.length > 0) throw new AppError('config.duplicate-channels', { names: repeated.map(([name]) => name || '""').join(', ') })
    return {
      options: Object.fromEntries(
        actualOptions(deps, values, new Set()).flatMap(({ name, fields }) =>
          isOptionKey(name) && !optionOf(name).isSecret ? [[name, fields['value']] as const] : [],
        ),
      ),
      groups: fieldsByName('group', values),
      prices: ownPrices(values),
      channels: rows.map((row) => toFileChannel(deps, row)),
      ...(await exportAccounts(tx, asked)),
    }
  })
}

const fieldsByName = (kind: EntryKind, values: OptionValues): Record<string, unknown> =>
  Object.fromEntries(actualEntries(kind, values).map(({ name, fields }) => [name, fields]))

/** Prices that differ from those of a new installation. */
function ownPrices(values: OptionValues): Record<string, unknown> {
  const defaults = new Map(actualEntries('price', defaultValues(values)).map((record) => [recordKey(record), record.fields]))
  const own = actualEntries('price', values).filter((record) => !isEqual(record.fields, defaults.get(recordKey(record))))
  return Object.fromEntries(own.map(({ name, fields }) => [name, fields]))
}

/** Every option's default. */
const defaultValues = (values: OptionValues): OptionValues =>
  Object.fromEntries(Object.keys(values).map((key) => [key, isOptionKey(key) ? readOption(key, undefined) : undefined])) as OptionValues // the value of each key
