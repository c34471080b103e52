import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import {
  decodeNewOption,
  defaultText,
  isOptionKey,
  optionOf,
  readOption,
  type OptionKey,
  type OptionValues,
} from '@tollgate/contracts/options/registry'
import type { OptionRecord } from '@tollgate/contracts/moving-in/records'
import { isPriceOption } from '@tollgate/contracts/resources/prices'
import type { Tx } from '@tollgate/db/connect'
import { findOption, lockOption, saveOption } from '@tollgate/db/queries/installation/options'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { recordPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { entryChanges } from '@tollgate/domain/pricing/price-patch'
import { refusalOfSwitch } from '../resources/options/policy.ts'
import { recordOf, type Made, type Run, type Writer } from './carry.ts'

/** Prices are written together, once all options of the source are known. */
export const MERGED = ['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'] as const
export type Merged = (typeof MERGED)[number]
const isMerged = (key: string): key is Merged => MERGED.some((merged) => merged === key)

/** Throws for a name that is no setting, or whose setting is written together with others. */
export function checkKept(names: readonly string[]): void {
  const wrong = names.find((name) => !isOptionKey(name) || isMerged(name))
  if (wrong !== undefined) throw new AppError('import.keep', { name: wrong })
}

/** Options that this run has written, also in a dry run, in which Postgres has forgotten it. */
export class OptionState {
  readonly #texts = new Map<string, string>()
  readonly typed = new Map<Merged, Readonly<Record<string, number>>>()

  set(key: string, text: string): void {
    this.#texts.set(key, text)
  }

  /** All values as they are after the run. */
  valuesOver(values: OptionValues): OptionValues {
    const next: Record<string, unknown> = { ...values }
    for (const [key, text] of this.#texts) if (isOptionKey(key)) next[key] = readOption(key, text)
    return next as OptionValues // the values of the same options, read by their own rules
  }
}

/** The operator's own prices, also where an earlier run has carried them. */
export function readTyped(state: OptionState, records: readonly OptionRecord[]): void {
  for (const { key, value } of records) {
    if (!isMerged(key)) continue
    const decoded = decodeNewOption(key, value)
    if (decoded.kind === 'ok') state.typed.set(key, numbersOf(decoded.value))
  }
}

export function optionWriter(state: OptionState): Writer<'options'> {
  const writeAll = async (run: Run, tx: Tx, records: readonly OptionRecord[]): Promise<(Made | undefined)[]> => {
    const made = new Map<OptionRecord, Made | undefined>()
    for (const record of inSavingOrder(records)) made.set(record, await writeOne(run, tx, record, state))
    return records.map((record) => made.get(record))
  }
  return {
    kind: 'options',
    idOf: ({ key }) => key,
    create: writeAll,
    update: async (run, tx, record) => (await writeAll(run, tx, [record]))[0],
  }
}

/** Switches come last: some can only go on when another value is stored. */
const inSavingOrder = (records: readonly OptionRecord[]): OptionRecord[] => {
  const isSwitch = ({ key }: OptionRecord): boolean => isOptionKey(key) && optionOf(key).kind === 'flag'
  return records.toSorted((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)))
}

async function writeOne(run: Run, tx: Tx, { key, value }: OptionRecord, state: OptionState): Promise<Made | undefined> {
  const at = `options ${key}`
  if (!isOptionKey(key)) {
    run.found.add('options', 'skipped')
    run.found.list('changed', { kind: 'options', at, code: 'unknown-option', detail: shown(value) })
    return undefined
  }
  if (run.keep.has(key)) {
    run.found.add('options', 'skipped')
    run.found.list('changed', { kind: 'options', at, code: 'setting-kept', detail: '' })
    return undefined
  }
  const decoded = decodeNewOption(key, value)
  if (decoded.kind === 'refused') {
    run.found.refuse('options', { kind: 'options', at, code: 'option', detail: decoded.code, params: decoded.params })
    return undefined
  }
  if (isMerged(key)) return { target_id: 0 }
  const refusal = refusalOfSwitch(key, decoded.value, state.valuesOver(await run.deps.options.all(tx)))
  if (refusal !== undefined) {
    run.found.refuse('options', { kind: 'options', at, code: 'option', detail: refusal })
    return undefined
  }
  const { kind, encode, isSecret, withoutEffect } = optionOf(key)
  const text = kind === 'json' ? value : encode(decoded.value)
  const stored = await storeOption(run, tx, { key, text })
  if (stored !== undefined && (stored.updated_by ?? 0) !== 0 && (isSecret || stored.value !== text)) {
    run.found.list('changed', {
      kind: 'options',
      at,
      code: 'setting-replaced',
      detail: isSecret ? '' : stored.value.slice(0, SHOWN_LENGTH),
    })
  }
  state.set(key, text)
  if (withoutEffect !== undefined) run.found.list('changed', { kind: 'options', at, code: 'without-effect', detail: '' })
  return { target_id: 0 }
}

const SHOWN_LENGTH = 200

/** Values of unknown options may be secrets. */
const shown = (value: string): string => `${value.length} characters`

/** Stores a text, and gives the row as it was before. */
export async function storeOption(run: Run, tx: Tx, { key, text }: { readonly key: OptionKey; readonly text: string }) {
  const { isSecret, readBy } = optionOf(key)
  const is_sealed = isSecret && text !== ''
  await lockOption(tx, key)
  const stored = await findOption(tx, key)
  const before = isSecret ? '' : (stored?.value ?? defaultText(key))
  if (!isSecret && before === text && stored !== undefined) return stored
  const value = is_sealed ? run.deps.sealers.options.seal(text, sealedBy.option(key)) : text
  await saveOption(tx, { key, value, is_sealed, updated_at: run.now, updated_by: 0 })
  if (isPriceOption(key)) {
    await recordPriceHistory(tx, { at: run.now, option: key, cause: 'edit', by_name: `import ${run.name}` }, entryChanges(before, text))
  }
  if (readBy.includes('relay')) await raiseSnapshotVersion(tx)
  return stored
}

const numbersOf = (value: unknown): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(recordOf(value)).flatMap(([name, number]) => (typeof number === 'number' ? [[name, number]] : [])))
