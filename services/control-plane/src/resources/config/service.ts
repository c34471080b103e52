import { createHash } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { optionOf } from '@tollgate/contracts/options/registry'
import type { ConfigChange, ConfigPlan, ConfigProblem, ConfigSource } from '@tollgate/contracts/resources/config'
import { ownValue } from '@tollgate/contracts/values/own-value'
import type { Tx } from '@tollgate/db/connect'
import { removeManagedRecords, saveManagedRecords } from '@tollgate/db/queries/installation/managed-records'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { planChanges, recordKey, type ConfigRecord, type PlannedChange } from '@tollgate/domain/config-plan/plan'
import { nameList } from '@tollgate/domain/display/name-list'
import type { Language } from '@tollgate/http/language'
import type { By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { publishAfter, type Publication } from '../../internal/snapshot-publisher.ts'
import { applyChanges, RefusedChange, type Applied } from './apply-changes.ts'
import { inConfigTransaction, rollBackWith } from './config-transaction.ts'
import { readFiles } from './read-files.ts'
import { problemOf, readDesiredState, readStoredState, type Desired, type StoredState } from './read-state.ts'

type Call = { readonly by: By; readonly language: Language }

/** The changes that the files would make. They are made and rolled back, so that a plan refuses what applying would refuse. */
export async function planConfig(deps: Deps, call: Call, source: ConfigSource): Promise<ConfigPlan> {
  return await inConfigTransaction(deps.db, async (tx) => {
    const prepared = await prepare(deps, tx, call, source)
    if (prepared.plan.problems.length > 0) return rollBackWith(prepared.plan)
    try {
      const { prices } = await applyChanges(deps, tx, call.by, prepared)
      return rollBackWith({ ...prepared.plan, ...(Object.keys(prices).length === 0 ? {} : { prices }) })
    } catch (error) {
      return rollBackWith({ ...prepared.plan, problems: [refusalOf(error, call.language)] })
    }
  })
}

/** Makes the planned changes in one transaction; refuses when one of them is not as it was seen. */
export async function applyConfig(
  deps: Deps,
  call: Call,
  { seen, ...source }: ConfigSource & { readonly seen: Readonly<Record<string, string>> },
): Promise<{ plan: ConfigPlan; publication: Publication }> {
  const { plan, applied, version } = await inConfigTransaction(deps.db, async (tx) => {
    const prepared = await prepare(deps, tx, call, source)
    refuseProblems(prepared.plan.problems)
    refuseOthers(prepared.plan.changes, seen)
    const made = await applyChanges(deps, tx, call.by, prepared).catch((error: unknown) => {
      refuseProblems([refusalOf(error, call.language)])
      throw error
    })
    await markManaged(deps, tx, call.by, prepared)
    return { plan: prepared.plan, applied: made, version: isRelayed(made) ? await raiseSnapshotVersion(tx) : undefined }
  })
  const { options, channels } = applied
  return { plan, publication: version === undefined ? 'published' : await publishAfter(deps, { version, options, channels }) }
}

type Prepared = {
  readonly plan: ConfigPlan
  readonly changes: readonly PlannedChange[]
  readonly desired: ReadonlyMap<string, Desired>
  readonly state: StoredState
  readonly secrets: ConfigSource['secrets']
  readonly owner: string
}

async function prepare(deps: Deps, tx: Tx, { language }: Call, { files, secrets, prune, owner }: ConfigSource): Promise<Prepared> {
  const { entries, problems } = readFiles({ files })
  const state = await readStoredState(deps, tx, { entries, owner })
  const read = readDesiredState(deps, { entries, secrets, state, language })
  const desired = new Map(read.desired.map((one) => [recordKey(one.record), one]))
  const records = read.desired.map(({ record }) => record)
  const all = [...problems, ...read.problems]
  const planned = all.length > 0 ? { changes: [], left: [] } : planChanges({ desired: records, ...state, prune })
  const changes = planned.changes.map((change) => ({ ...change, version: versionOf(change, desired, state) }))
  return { plan: { problems: all, changes, left: [...planned.left], named: records.length }, changes, desired, state, secrets, owner }
}

/** Differs when the record, or what the files want of it, differs; of secrets by their fingerprints. */
function versionOf(change: PlannedChange, desired: Prepared['desired'], state: StoredState): string {
  const { kind, name, action, fields } = change
  const values = fields.map(({ field, before, after }) => [field, before ?? null, after ?? null])
  const key = recordKey(change)
  const secrets = [desired.get(key)?.record.secrets, state.actual.find((record) => recordKey(record) === key)?.secrets]
  return createHash('sha256')
    .update(JSON.stringify([kind, name, action, values, secrets]))
    .digest('base64url')
}

function refuseProblems([first]: readonly ConfigProblem[]): void {
  if (first !== undefined) throw new AppError('config.problems', { file: first.file, problem: [...first.path, first.message].join(' ') })
}

const MAX_NAMED = 10

function refuseOthers(changes: readonly ConfigChange[], seen: Readonly<Record<string, string>>): void {
  const present = new Set(changes.map(recordKey))
  const others = [
    ...changes.filter((change) => ownValue(seen, recordKey(change)) !== change.version).map(recordKey),
    ...Object.keys(seen).filter((key) => !present.has(key)),
  ]
  if (others.length === 0) return
  throw new AppError('config.changed-meanwhile', { records: nameList(others, MAX_NAMED) }, { console: 409 })
}

function refusalOf(error: unknown, language: Language): ConfigProblem {
  if (error instanceof RefusedChange) return problemOf(error.cause, error.place, language)
  throw error
}

const isRelayed = ({ options, channels }: Applied): boolean =>
  channels.length > 0 || options.some((key) => optionOf(key).readBy.includes('relay'))

/** Marks what the files name; records that are gone lose their mark. */
async function markManaged(deps: Deps, tx: Tx, { actor }: By, { desired, state, changes, owner }: Prepared): Promise<void> {
  const by = { owner, applied_at: nowSeconds(deps), applied_by: actor.username }
  await saveManagedRecords(
    tx,
    [...desired.values()].map(({ record }) => record),
    by,
  )
  const removed = new Set(changes.filter(({ action }) => action === 'remove').map(recordKey))
  const present = new Set(state.actual.map(recordKey))
  const isGone = (record: ConfigRecord): boolean => removed.has(recordKey(record)) || !present.has(recordKey(record))
  await removeManagedRecords(
    tx,
    state.applied.filter((record) => !desired.has(recordKey(record)) && isGone(record)),
  )
}
