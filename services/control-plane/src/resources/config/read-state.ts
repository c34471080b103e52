import { AppError, textOf } from '@tollgate/contracts/app-error'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { ConfigProblem } from '@tollgate/contracts/resources/config'
import type { Tx } from '@tollgate/db/connect'
import { listTransferred, type TransferredRow } from '@tollgate/db/queries/channels/channels'
import { listAppliedRecords } from '@tollgate/db/queries/installation/managed-records'
import type { ConfigRecord } from '@tollgate/domain/config-plan/plan'
import type { Language } from '@tollgate/http/language'
import type { Deps } from '../../deps.ts'
import { accountRecord, actualAccountRecord, actualAccountRecords, readAccounts, type AccountRows } from './account-records.ts'
import { actualChannel, desiredChannel, withAbsentSettings, type DesiredChannel } from './channel-records.ts'
import { actualEntries, desiredEntry } from './entry-records.ts'
import { actualOptions, desiredOption } from './option-records.ts'
import { ConfigProblemError, type Place } from './problem.ts'
import type { FileEntry } from './read-files.ts'
import type { SecretValues } from './secrets.ts'

/** The configuration as it is stored. */
export type StoredState = {
  readonly values: OptionValues
  /** Several channels may have one name. */
  readonly channels: ReadonlyMap<string, readonly TransferredRow[]>
  readonly accounts: AccountRows
  readonly actual: readonly ConfigRecord[]
  readonly applied: readonly ConfigRecord[]
}

export async function readStoredState(
  deps: Deps,
  tx: Tx,
  { entries, owner }: { readonly entries: readonly FileEntry[]; readonly owner: string },
): Promise<StoredState> {
  const values = await deps.options.all(tx)
  const rows = await listTransferred(tx)
  const applied = await listAppliedRecords(tx, owner)
  const accounts = await readAccounts(tx, [...entries, ...applied])
  const namedOptions = new Set(entries.filter(({ kind }) => kind === 'option').map(({ name }) => name))
  return {
    values,
    channels: Map.groupBy(rows, ({ name }) => name),
    accounts,
    actual: [
      ...actualOptions(deps, values, namedOptions),
      ...actualEntries('group', values),
      ...actualEntries('price', values),
      ...rows.map((row) => actualChannel(deps, row)),
      ...actualAccountRecords(accounts, [...entries, ...applied]),
    ],
    applied,
  }
}

/** A record as the files want it. */
export type Desired = { readonly record: ConfigRecord; readonly entry: FileEntry; readonly channel?: DesiredChannel | undefined }
export type DesiredState = { readonly desired: readonly Desired[]; readonly problems: readonly ConfigProblem[] }

export function readDesiredState(
  deps: Deps,
  { entries, secrets, state, language }: { entries: readonly FileEntry[]; state: StoredState; language: Language; secrets: SecretValues },
): DesiredState {
  const desired: Desired[] = []
  const problems: ConfigProblem[] = []
  const byName = new Map(state.actual.filter(({ kind }) => kind === 'channel').map((record) => [record.name, record]))
  for (const entry of entries) {
    try {
      desired.push(desiredOf(deps, entry, { state, secrets, actualChannels: byName }))
    } catch (error) {
      problems.push(problemOf(error, entry.at, language))
    }
  }
  return { desired, problems }
}

type Sources = {
  readonly secrets: SecretValues
  readonly state: StoredState
  readonly actualChannels: ReadonlyMap<string, ConfigRecord>
}

function desiredOf(deps: Deps, entry: FileEntry, { state, secrets, actualChannels }: Sources): Desired {
  switch (entry.kind) {
    case 'option':
      return { entry, record: desiredOption(deps, entry.name, entry.value, secrets) }
    case 'group':
    case 'price':
      return { entry, record: desiredEntry(entry.kind, entry.name, entry.value) }
    case 'organisation':
    case 'project':
    case 'token':
    case 'budget':
      // Throws when its name stands for several.
      actualAccountRecord(state.accounts, entry)
      return { entry, record: accountRecord(entry) }
    case 'channel': {
      const [row, ...more] = state.channels.get(entry.name) ?? []
      if (more.length > 0) throw new AppError('config.duplicate-channels', { names: entry.name })
      const channel = desiredChannel(deps, entry.value, { row, values: secrets })
      return { entry, channel, record: withAbsentSettings(channel.record, actualChannels.get(entry.name)) }
    }
  }
}

/** The problem of a record at its place in the file. */
export function problemOf(error: unknown, { file, path }: Place, language: Language): ConfigProblem {
  if (error instanceof ConfigProblemError) return { file, path: [...path, ...error.path], message: error.message }
  if (error instanceof AppError) return { file, path, message: textOf(error.code, language, error.params) }
  throw error
}
