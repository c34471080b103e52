import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import {
  decodeNewOption,
  decodeOption,
  defaultText,
  isOptionKey,
  optionKeys,
  optionOf,
  refusalStatusOf,
  type OptionKey,
  type OptionValues,
} from '@tollgate/contracts/options/registry'
import type { OptionNote, OptionRow } from '@tollgate/contracts/resources/options'
import { isPriceOption } from '@tollgate/contracts/resources/prices'
import type { Tx } from '@tollgate/db/connect'
import { findOption, listOptions, lockOption, saveOption } from '@tollgate/db/queries/installation/options'
import { recordPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { listUsernames } from '@tollgate/db/queries/users/usernames'
import { entryChanges } from '@tollgate/domain/pricing/price-patch'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { publishAfter } from '../../internal/snapshot-publisher.ts'
import { refusalOfSwitch } from './policy.ts'

/** All options except secrets, as text, sorted by key; an option that was never saved has its default. */
export async function listOptionRows(deps: Deps): Promise<OptionRow[]> {
  const stored = new Map((await listOptions(deps.db)).map((row) => [row.key, row.value]))
  return optionKeys.filter((key) => !optionOf(key).isSecret).map((key) => ({ key, value: displayText(key, stored.get(key)) }))
}

/** The default applies to a stored text that is not valid (imported data), so the settings page shows the default. */
export function displayText(key: OptionKey, stored: string | undefined): string {
  return stored !== undefined && decodeOption(key, stored).kind === 'ok' ? stored : defaultText(key)
}

/** Which options differ from the default, which secrets are set, and who changed what last. */
export async function listOptionNotes(deps: Deps): Promise<OptionNote[]> {
  const stored = new Map((await listOptions(deps.db)).map((row) => [row.key, row]))
  const names = await listUsernames(
    deps.db,
    [...stored.values()].map((row) => row.updated_by ?? 0),
  )
  return optionKeys.map((key) => {
    const row = stored.get(key)
    const is_secret = optionOf(key).isSecret
    return {
      key,
      is_secret,
      is_set: is_secret && row !== undefined && row.value !== '',
      is_changed: row !== undefined && (is_secret ? row.value !== '' : row.value !== defaultText(key)),
      updated_at: row?.updated_at ?? 0,
      updated_by: names.get(row?.updated_by ?? 0) ?? '',
    }
  })
}

type Wanted = { readonly key: string; readonly value?: string | null | undefined; readonly was?: string | null | undefined }

/** Validates and stores an option, and publishes it after commit. A secret is sealed; an empty secret is deleted. */
export async function updateOption(deps: Deps, by: By, wanted: Wanted): Promise<void> {
  const checked = checkOption(wanted, await deps.options.all())
  if (checked !== undefined) await store(deps, by, checked)
}

/** The text to store; undefined: a secret that stays as it is. Throws when the option cannot have the value. */
export function checkOption({ key, value: given, was }: Wanted, values: OptionValues): Stored | undefined {
  if (!isOptionKey(key)) throw new AppError('option.unknown', { key })
  const isAbsent = given === undefined || given === null
  if (isAbsent && optionOf(key).isSecret) return undefined
  const value = given ?? ''
  const decoded = decodeNewOption(key, value)
  if (decoded.kind === 'refused') throw new AppError(decoded.code, decoded.params, { console: refusalStatusOf(key) })
  const refusal = refusalOfSwitch(key, decoded.value, values)
  if (refusal !== undefined) throw new AppError(refusal)
  // JSON keeps the operator's formatting; other values are stored in normal form (without trailing slash and blanks).
  const { kind, encode } = optionOf(key)
  return { key, text: kind === 'json' ? value : encode(decoded.value), was: was ?? undefined }
}

/** Resets ModelRatio to its default; other options are unchanged. */
export async function resetModelRatio(deps: Deps, by: By): Promise<void> {
  await store(deps, by, { key: 'ModelRatio', text: defaultText('ModelRatio') })
}

/** `was` is the text that the administrator saw; a secret is never shown, so that it has none. */
export type Stored = { readonly key: OptionKey; readonly text: string; readonly was?: string | undefined }

async function store(deps: Deps, by: By, stored: Stored): Promise<void> {
  const { key } = stored
  const version = await deps.db.transaction().execute(async (tx) => {
    await storeOption(deps, tx, by, stored)
    return optionOf(key).readBy.includes('relay') ? await raiseSnapshotVersion(tx) : undefined
  })
  if (version !== undefined) await publishAfter(deps, { version, options: [key] })
}

/** Stores an option in the transaction of a change, with its audit entry and the history of prices. */
export async function storeOption(deps: Deps, tx: Tx, by: By, { key, text, was }: Stored): Promise<void> {
  const { isSecret } = optionOf(key)
  const is_sealed = isSecret && text !== ''
  const value = is_sealed ? deps.sealers.options.seal(text, sealedBy.option(key)) : text
  const now = nowSeconds(deps)
  await lockOption(tx, key)
  const before = isSecret ? '' : displayText(key, (await findOption(tx, key))?.value)
  if (!isSecret && was !== undefined && was !== before) throw new AppError('option.changed-meanwhile')
  await saveOption(tx, { key, value, is_sealed, updated_at: now, updated_by: by.actor.id })
  const changes = isSecret ? [{ field: 'value' }] : changedFields({ value: before }, { value: text })
  await recordAudit(deps, tx, by, [{ action: 'update', resource: 'option', resource_id: key, changes }])
  if (isPriceOption(key))
    await recordPriceHistory(tx, { at: now, option: key, cause: 'edit', by_name: by.actor.username }, entryChanges(before, text))
}
