import { createHash } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { optionOf, type OptionValues } from '@tollgate/contracts/options/registry'
import type { ConfigChange, ConfigPlan, ConfigProblem, ConfigSource } from '@tollgate/contracts/resources/config'
import { ownValue } from '@tollgate/contracts/values/own-value'
import type { Tx } from '@tollgate/db/connect'
import { removeManagedRecords, saveManagedRecords } from '@tollgate/db/queries/installation/managed-records'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { planChanges, recordKey, type ConfigRecord, type PlannedChange } from '@tollgate/domain/config-plan/plan'
import { priceDollars } from '@tollgate/domain/config-plan/price-dollars'
import { nameList } from '@tollgate/domain/display/name-list'
import type { Language } from '@tollgate/http/language'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { endAllSessions } from '../../authentication/cookie-sessions.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { publishAfter, type Publication } from '../../internal/snapshot-publisher.ts'
import { applyChanges, RefusedChange, type Applied } from './apply-changes.ts'
import { inConfigTransaction, rollBackWith } from './config-transaction.ts'
import { readFiles } from './read-files.ts'
import type { SecretValues } from './secrets.ts'
import { problemOf, readDesiredState, readStoredState, type Desired, type StoredState } from './read-state.ts'

type Call = { readonly by: By; readonly language: Language }

/** The changes that the files would make. They are made and rolled back, so that a plan refuses what applying would refuse. */
export async function planConfig(deps: Deps, call: Call, { without_secrets, ...source }: ConfigSource): Promise<ConfigPlan> {
  return await inConfigTransaction(deps.db, async (tx) => {
    const prepared = await prepare(deps, tx, call, { ...source, secrets: without_secrets ? 'unknown' : source.secrets })
    if (prepared.plan.problems.length > 0) return rollBackWith(prepared.plan)
    try {
      const { prices } = await applyChanges(deps, tx, call.by, prepared)
      if (Object.keys(prices).length === 0) return rollBackWith(prepared.plan)
      const changes = withDollars(prepared.plan.changes, prepared.state.values, await deps.options.all(tx))
      return rollBackWith({ ...prepared.plan, changes, prices })
    } catch (error) {
      return rollBackWith({ ...prepared.plan, problems: [refusalOf(error, call.language)] })
    }
  })
}

function withDollars(changes: readonly ConfigChange[], before: OptionValues, after: OptionValues): ConfigChange[] {
  const models = changes.flatMap(({ kind, name }) => (kind === 'price' ? [name] : []))
  const lines = priceDollars(models, before, after)
  return changes.map((change) => (change.kind === 'price' ? { ...change, dollars: [...(lines.get(change.name) ?? [])] } : change))
}

/** Makes the planned changes in one transaction; refuses when one of them is not as it was seen. */
export async function applyConfig(
  deps: Deps,
  call: Call,
  { seen, ...source }: Omit<ConfigSource, 'without_secrets'> & { readonly seen: Readonly<Record<string, string>> },
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
    await auditApply(deps, tx, call.by, { source, changes: prepared.changes })
    return { plan: prepared.plan, applied: made, version: isRelayed(made) ? await raiseSnapshotVersion(tx) : undefined }
  })
  const { options, channels, accounts } = applied
  for (const id of accounts.ended) await endAllSessions(deps, id)
  await syncChanged(deps, accounts.changed)
  const budgets = accounts.hasGroupBudgets ? { budgets: true as const } : {}
  return {
    plan: accounts.keys.length === 0 ? plan : { ...plan, keys: [...accounts.keys] },
    publication: version === undefined ? 'published' : await publishAfter(deps, { version, options, channels, ...budgets }),
  }
}

type Prepared = {
  readonly plan: ConfigPlan
  readonly changes: readonly PlannedChange[]
  readonly desired: ReadonlyMap<string, Desired>
  readonly state: StoredState
  readonly secrets: SecretValues
  readonly owner: string
}

type Source = Pick<ConfigSource, 'files' | 'prune' | 'owner'> & { readonly secrets: SecretValues }

async function prepare(deps: Deps, tx: Tx, { language }: Call, { files, secrets, prune, owner }: Source): Promise<Prepared> {
  const { entries, problems } = readFiles({ files })
  const state = await readStoredState(deps, tx, { entries, owner })
  const read = readDesiredState(deps, { entries, secrets, state, language })
  const desired = new Map(read.desired.map((one) => [recordKey(one.record), one]))
  const records = read.desired.map(({ record }) => record)
  const all = [...problems, ...read.problems]
  const planned = all.length > 0 ? { changes: [], left: [] } : planChanges({ desired: records, ...state, prune })
  const changes = planned.changes.map((change) => ({
    ...change,
    version: versionOf(change, desired, state),
    ...keyFileOf(change, desired),
  }))
  return { plan: { problems: all, changes, left: [...planned.left], named: records.length }, changes, desired, state, secrets, owner }
}

function keyFileOf(change: PlannedChange, desired: Prepared['desired']): { key_file?: string } {
  const entry = change.action === 'create' ? desired.get(recordKey(change))?.entry : undefined
  return entry?.kind !== 'token' || entry.value.key === undefined ? {} : { key_file: entry.value.key.file }
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

const isRelayed = ({ options, channels, accounts }: Applied): boolean =>
  channels.length > 0 || accounts.hasGroupBudgets || options.some((key) => optionOf(key).readBy.includes('relay'))

type ApplyAudit = { readonly source: Pick<ConfigSource, 'files' | 'owner'>; readonly changes: readonly PlannedChange[] }

/** One entry for the call as a whole, beside those of its changes. The hash is that of paths and contents, which have no secrets. */
async function auditApply(deps: Deps, tx: Tx, by: By, { source: { files, owner }, changes }: ApplyAudit): Promise<void> {
  if (changes.length === 0) return
  const count = (action: PlannedChange['action']): string => String(changes.filter((change) => change.action === action).length)
  const hash = createHash('sha256').update(JSON.stringify(files.map(({ path, content }) => [path, content])))
  await recordAudit(deps, tx, by, [
    {
      action: 'apply',
      resource: 'config',
      resource_id: owner,
      changes: [
        { field: 'created', after: count('create') },
        { field: 'changed', after: count('update') },
        { field: 'removed', after: count('remove') },
        { field: 'files_sha256', after: hash.digest('hex') },
      ],
    },
  ])
}

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
