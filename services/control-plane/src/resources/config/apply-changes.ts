import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { defaultText, isOptionKey, optionOf, type OptionKey } from '@tollgate/contracts/options/registry'
import { isPriceOption, type PriceTexts } from '@tollgate/contracts/resources/prices'
import type { Tx } from '@tollgate/db/connect'
import { findOption } from '@tollgate/db/queries/installation/options'
import { recordKey, type PlannedChange } from '@tollgate/domain/config-plan/plan'
import { patchedText } from '@tollgate/domain/pricing/price-patch'
import type { By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { completeEdits, type ChannelEdit } from '../channels/change.ts'
import { channelEdits, newChannelEdits, removalEdits } from '../channels/write.ts'
import { checkOption, displayText, storeOption } from '../options/service.ts'
import { applyAccounts, type AppliedAccounts } from './apply-accounts.ts'
import { columnOf } from './channel-records.ts'
import { ENTRY_OPTIONS, isEntryKind } from './entry-records.ts'
import { textOfOption } from './option-records.ts'
import type { Place } from './problem.ts'
import type { SecretValues } from './secrets.ts'
import type { Desired, StoredState } from './read-state.ts'

export type Applied = {
  readonly options: readonly OptionKey[]
  readonly channels: readonly number[]
  readonly prices: PriceTexts
  readonly accounts: AppliedAccounts
}

type Work = {
  readonly changes: readonly PlannedChange[]
  readonly desired: ReadonlyMap<string, Desired>
  readonly state: StoredState
  readonly secrets: SecretValues
}

/** A change that a use case refused, and the place of its record; removals have none. */
export class RefusedChange extends Error {
  readonly place: Place
  constructor(cause: unknown, place: Place = { file: '', path: [] }) {
    super('a planned change was refused', { cause })
    this.name = 'RefusedChange'
    this.place = place
  }
}

/** Makes the changes with the checks and audit entries of the console's forms, in the transaction of the caller. */
export async function applyChanges(deps: Deps, tx: Tx, by: By, work: Work): Promise<Applied> {
  const texts = await entryTexts(tx, work)
  const options = [...texts, ...optionTexts(work)].toSorted((a, b) => Number(isSwitch(a.key)) - Number(isSwitch(b.key)))
  for (const { key, text, place } of options) await attempt(place, () => setOption(deps, tx, by, { key, text }))
  return {
    options: options.map(({ key }) => key),
    channels: await applyChannels(deps, tx, by, work),
    accounts: await applyAccounts(deps, tx, by, { ...work, attempt: (entry, run) => attempt(entry?.at, run) }),
    prices: Object.fromEntries(texts.flatMap(({ key, text }) => (isPriceOption(key) ? [[key, text]] : []))),
  }
}

type NewText = { readonly key: OptionKey; readonly text: string; readonly place?: Place | undefined }

/** Switches come last: some can only go on when another value is stored. */
const isSwitch = (key: OptionKey): boolean => optionOf(key).kind === 'flag'

async function setOption(deps: Deps, tx: Tx, by: By, { key, text }: Pick<NewText, 'key' | 'text'>): Promise<void> {
  const checked = checkOption({ key, value: text }, await deps.options.all(tx))
  if (checked !== undefined) await storeOption(deps, tx, by, checked)
}

async function attempt<T>(place: Place | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AppError) throw new RefusedChange(error, place)
    throw error
  }
}

function optionTexts({ changes, desired, secrets }: Work): NewText[] {
  return changes.flatMap((change) => {
    const { kind, name } = change
    if (kind !== 'option' || !isOptionKey(name)) return []
    const wanted = desired.get(recordKey(change))
    if (change.action === 'remove' || wanted === undefined) return [{ key: name, text: optionOf(name).isSecret ? '' : defaultText(name) }]
    return [{ key: name, text: textOfOption(name, wanted.entry.value, secrets), place: wanted.entry.at }]
  })
}

/** The texts of options whose entries change: groups and prices. Other entries stay as they are stored. */
async function entryTexts(tx: Tx, { changes, desired }: Work): Promise<NewText[]> {
  const patches = new Map<OptionKey, { entries: Record<string, unknown>; place: Place | undefined }>()
  for (const change of changes) {
    if (!isEntryKind(change.kind)) continue
    const options = ENTRY_OPTIONS[change.kind]
    for (const { field, after } of change.fields) {
      const key = options[field]
      if (key === undefined) continue
      const { entries = {}, place = desired.get(recordKey(change))?.entry.at } = patches.get(key) ?? {}
      patches.set(key, { entries: { ...entries, [change.name]: after ?? null }, place })
    }
  }
  return await Promise.all(
    [...patches].map(async ([key, { entries, place }]) => {
      const stored = displayText(key, (await findOption(tx, key))?.value)
      return { key, text: patchedText(stored, entries), place }
    }),
  )
}

async function applyChannels(deps: Deps, tx: Tx, by: By, { changes, desired, state }: Work): Promise<number[]> {
  const edits: ChannelEdit[] = []
  for (const change of changes) {
    if (change.kind !== 'channel') continue
    const wanted = desired.get(recordKey(change))
    const ids = (state.channels.get(change.name) ?? []).map(({ id }) => id)
    const made = await attempt(wanted?.entry.at, () => applyChannel(deps, tx, by, { change, wanted, ids }))
    edits.push(...made)
  }
  if (edits.length > 0) await completeEdits(deps, tx, by, edits)
  return [...new Set(edits.map(({ id }) => id))]
}

type OneChannel = { readonly change: PlannedChange; readonly wanted: Desired | undefined; readonly ids: readonly number[] }

async function applyChannel(deps: Deps, tx: Tx, by: By, { change, wanted, ids }: OneChannel): Promise<ChannelEdit[]> {
  const { body } = wanted?.channel ?? {}
  const [id] = ids
  if (body === undefined || wanted?.entry.kind !== 'channel') return await removalEdits(ids)(tx)
  const status = wanted.entry.value.enabled ? ChannelStatus.enabled : ChannelStatus.disabled
  const setStatus = (of: number): Promise<ChannelEdit[]> => channelEdits(deps, by, { id: of, status })(tx)
  if (id === undefined) {
    const created = await newChannelEdits(deps, by, { ...body, type: body.type ?? 0 })(tx)
    const [first] = created
    return status === ChannelStatus.enabled || first === undefined ? created : [...created, ...(await setStatus(first.id))]
  }
  const columns = new Set(change.fields.map(({ field }) => columnOf(field)))
  const changed = Object.fromEntries(Object.entries(body).filter(([column]) => columns.has(column)))
  return [
    ...(Object.keys(changed).length === 0 ? [] : await channelEdits(deps, by, { id, ...changed })(tx)),
    // A form's body with models does not change the status.
    ...(columns.has('enabled') ? await setStatus(id) : []),
  ]
}
