import { sealWithPassphrase, unsealWithPassphrase } from '@tollgate/config/passphrase'
import { sealedBy } from '@tollgate/config/sealing'
import { AppError, textOf } from '@tollgate/contracts/app-error'
import { decodeNewOption, decodeOption, isOptionKey, optionOf, type OptionKey } from '@tollgate/contracts/options/registry'
import { OptionFile, type ImportResult, type ImportRow } from '@tollgate/contracts/resources/options'
import { listOptions } from '@tollgate/db/queries/installation/options'
import type { Language } from '@tollgate/http/language'
import { z } from 'zod'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { listOptionRows, updateOption } from './service.ts'

const Secrets = z.record(z.string().max(200), z.string().max(100_000))

/** All options; secrets that are set are sealed with the passphrase, which is not stored. */
export async function exportOptions(deps: Deps, by: By, passphrase: string): Promise<OptionFile> {
  const options = Object.fromEntries((await listOptionRows(deps)).map(({ key, value }) => [key, value]))
  const sealed = (await listOptions(deps.db)).filter(({ key, is_sealed }) => is_sealed && isOptionKey(key))
  const secrets = Object.fromEntries(sealed.map(({ key, value }) => [key, deps.sealers.options.unseal(value, sealedBy.option(key))]))
  await deps.db.transaction().execute((tx) => recordAudit(deps, tx, by, [{ action: 'export', resource: 'option', resource_id: '' }]))
  return {
    format: 'tollgate-options',
    version: 1,
    exported_at: nowSeconds(deps),
    options,
    secrets: await sealWithPassphrase(JSON.stringify(secrets), passphrase),
  }
}

type Source = { readonly file: string; readonly passphrase?: string | undefined }
type Entry = { readonly key: string; readonly value: string; readonly isSecret: boolean }

/** Compares every option of the file with what is stored, by the rules of a single change. */
export async function previewImport(deps: Deps, source: Source, language: Language): Promise<{ rows: ImportRow[]; has_secrets: boolean }> {
  const { entries, hasSecrets } = await readFileOf(source)
  const stored = new Map((await listOptionRows(deps)).map(({ key, value }) => [key, value]))
  const values = await deps.options.all()
  const rows = entries.map(({ key, value, isSecret }): ImportRow => {
    const row = { key, is_secret: isSecret, before: '', after: '', message: '' }
    if (!isOptionKey(key)) return { ...row, result: 'unknown' }
    if (optionOf(key).isSecret) return { ...row, is_secret: true, result: values[key] === value ? 'same' : 'changed' }
    const shown = { ...row, before: stored.get(key) ?? '', after: value }
    const decoded = decodeNewOption(key, value)
    if (decoded.kind === 'refused') return { ...shown, result: 'refused', message: textOf(decoded.code, language, decoded.params) }
    return { ...shown, result: isSame(key, shown.before, value) ? 'same' : 'changed' }
  })
  return { rows, has_secrets: hasSecrets }
}

/** JSON keeps the operator's formatting, so that equal texts are compared first. */
function isSame(key: OptionKey, before: string, after: string): boolean {
  if (before === after) return true
  const [one, other] = [decodeOption(key, before), decodeOption(key, after)]
  return one.kind === 'ok' && other.kind === 'ok' && JSON.stringify(one.value) === JSON.stringify(other.value)
}

type Import = Source & {
  readonly changes: readonly { readonly key: string; readonly was?: string | undefined }[]
  readonly language: Language
}

/** Stores the chosen options one by one, each with its audit entry; a refused one does not stop the others. */
export async function importOptions(deps: Deps, by: By, { changes, language, ...source }: Import): Promise<ImportResult[]> {
  const { entries } = await readFileOf(source)
  const found = new Map(entries.map((entry) => [entry.key, entry.value]))
  const results: ImportResult[] = []
  for (const { key, was } of inSavingOrder(changes)) {
    const value = found.get(key)
    if (value === undefined) continue
    try {
      await updateOption(deps, by, { key, value, was })
      results.push({ key, is_stored: true, message: '' })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.push({ key, is_stored: false, message: textOf(error.code, language, error.params) })
    }
  }
  return results
}

/** Switches come last: some can only go on when another value is stored. */
function inSavingOrder<Change extends { readonly key: string }>(changes: readonly Change[]): readonly Change[] {
  const isSwitch = ({ key }: Change): boolean => isOptionKey(key) && optionOf(key).kind === 'flag'
  return changes.toSorted((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)))
}

async function readFileOf({ file, passphrase = '' }: Source): Promise<{ entries: Entry[]; hasSecrets: boolean }> {
  const parsed = OptionFile.safeParse(parseJson(file))
  if (!parsed.success) throw new AppError('option.file', { detail: parsed.error.issues[0]?.path.map(String).join('.') || 'JSON' })
  const { options, secrets } = parsed.data
  // A secret in clear text is not taken: the file would have been edited by hand, and its value would be shown in a preview.
  const entries = Object.entries(options)
    .filter(([key]) => !isOptionKey(key) || !optionOf(key).isSecret)
    .map(([key, value]) => ({ key, value, isSecret: false }))
  if (secrets === undefined || passphrase === '') return { entries, hasSecrets: secrets !== undefined }
  const opened = await unsealWithPassphrase(secrets, passphrase)
  if (opened === undefined) throw new AppError('option.passphrase')
  const sealed = Object.entries(Secrets.parse(JSON.parse(opened)))
  return { entries: [...entries, ...sealed.map(([key, value]) => ({ key, value, isSecret: true }))], hasSecrets: true }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Reported by the schema as a file of another kind.
    return undefined
  }
}
