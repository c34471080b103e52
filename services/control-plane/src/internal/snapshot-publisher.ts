import { optionOf, type OptionKey } from '@tollgate/contracts/options/registry'
import { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import { SNAPSHOT_FORMAT, type GroupSnapshot } from '@tollgate/contracts/relay/snapshot'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import { toGroupSnapshots, toPriceSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { listGroupBudgets, type BudgetRow } from '@tollgate/db/queries/tokens/budgets'
import { getSnapshotVersion, raiseSnapshotVersionAbove } from '@tollgate/db/queries/installation/snapshot'
import {
  findSnapshotHead,
  listSnapshotFields,
  publishSnapshot,
  replaceSnapshot,
  type SnapshotChange,
  type WholeSnapshot,
} from '@tollgate/redis/snapshot/snapshot-publisher'
import { withTimeout } from '@tollgate/redis/with-timeout'
import type { Deps } from '../deps.ts'
import { startLoop, type Loop } from '@tollgate/jobs/loop'
import { toChannelSnapshot, toOptionFields } from './snapshot-fields.ts'

export type PublishDeps = Pick<Deps, 'db' | 'redis' | 'options' | 'log' | 'sealers'>

/** Entities that a committed change affected, and the version that it raised (`raiseSnapshotVersion(tx)`, last in its transaction). */
export type ChangedEntities = {
  readonly version: number
  readonly channels?: readonly number[]
  readonly options?: readonly OptionKey[]
  /** Present: budgets of groups changed. */
  readonly budgets?: true
}

/** State of a change for relays: `delayed` changes are published by the repair loop. */
export type Publication = 'published' | 'delayed'

/** A call that changes the configuration waits for its publication, but not for a Redis that does not answer. */
const MAX_WAIT_MS = 2000

/**
 * Publishes a change after its commit. Never throws: the repair loop publishes what failed within two seconds.
 */
export async function publishAfter(deps: PublishDeps, changed: ChangedEntities, maxWaitMs = MAX_WAIT_MS): Promise<Publication> {
  try {
    await withTimeout(publishChange(deps, changed), maxWaitMs, 'the snapshot was not published')
    return 'published'
  } catch (error) {
    deps.log.warn({ err: error, version: changed.version }, 'snapshot not published after commit; the repair loop publishes it')
    return 'delayed'
  }
}

async function publishChange(deps: PublishDeps, changed: ChangedEntities): Promise<void> {
  const changes = [...(await channelChanges(deps, changed.channels ?? [])), ...(await optionChanges(deps, changed))]
  const result = await publishSnapshot(deps.redis, changes, changed.version)
  if (result === 'gap') await publishAll(deps)
}

/** Publishes the complete configuration, read from Postgres at one version. */
export async function publishAll(deps: PublishDeps): Promise<void> {
  const { version, whole } = await deps.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const values = await deps.options.all(tx)
      const channels = await listRoutedChannels(tx)
      const read: WholeSnapshot = {
        channels: channels.map(toChannelSnapshot),
        prices: toPriceSnapshots(values),
        groups: withBudgets(toGroupSnapshots(values), await listGroupBudgets(tx)),
        options: toOptionFields(values, deps.sealers.channels),
      }
      return { version: await getSnapshotVersion(tx), whole: read }
    })
  await replaceSnapshot(deps.redis, whole, version)
}

/** Compares the versions in Postgres and Redis once; publishes everything when they differ. */
export async function repairSnapshot(deps: PublishDeps): Promise<'intact' | 'repaired'> {
  const head = await findSnapshotHead(deps.redis)
  const version = await getSnapshotVersion(deps.db)
  if (head !== undefined && head.version === version && head.format === SNAPSHOT_FORMAT) return 'intact'
  if (head !== undefined && head.version > version) await raiseSnapshotVersionAbove(deps.db, head.version)
  await publishAll(deps)
  return 'repaired'
}

/** Repairs every two seconds, also after Redis was emptied. Its first run is the first publication. */
export function startSnapshotRepair(deps: PublishDeps, intervalMs = 2000): Loop {
  return startLoop({
    name: 'snapshot-repair',
    intervalMs,
    firstAfterMs: intervalMs,
    log: deps.log,
    monotonic: () => performance.now(),
    run: () => repairSnapshot(deps),
  })
}

async function channelChanges(deps: PublishDeps, ids: readonly number[]): Promise<SnapshotChange[]> {
  const found = new Map((await listRoutedChannels(deps.db, ids)).map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = found.get(id)
    return { kind: 'channels', field: String(id), value: row === undefined ? undefined : toChannelSnapshot(row) }
  })
}

async function optionChanges(deps: PublishDeps, { options: optionKeys = [], budgets }: ChangedEntities): Promise<SnapshotChange[]> {
  if (optionKeys.length === 0 && budgets === undefined) return []
  const values = await deps.options.all()
  const fields = toOptionFields(values, deps.sealers.channels)
  const changes: SnapshotChange[] = optionKeys
    .filter((key) => Object.hasOwn(fields, key))
    .map((key) => ({ kind: 'options', field: key, value: fields[key] }))
  if (optionKeys.some((key) => optionOf(key).snapshotAs === 'prices')) {
    const rows = new Map(toPriceSnapshots(values).map((row) => [row.model, row]))
    const names = new Set([...rows.keys(), ...(await listSnapshotFields(deps.redis, 'prices'))])
    changes.push(...[...names].map((field): SnapshotChange => ({ kind: 'prices', field, value: rows.get(field) })))
  }
  if (budgets === true || optionKeys.some((key) => optionOf(key).snapshotAs === 'groups')) {
    const groups = withBudgets(toGroupSnapshots(values), await listGroupBudgets(deps.db))
    const rows = new Map(groups.map((row) => [row.name, row]))
    const names = new Set([...rows.keys(), ...(await listSnapshotFields(deps.redis, 'groups'))])
    changes.push(...[...names].map((field): SnapshotChange => ({ kind: 'groups', field, value: rows.get(field) })))
  }
  return changes
}

/** Groups with the budgets that they give to their users. */
function withBudgets(groups: readonly GroupSnapshot[], budgets: readonly BudgetRow[]): GroupSnapshot[] {
  if (budgets.length === 0) return [...groups]
  const byGroup = Map.groupBy(budgets, ({ group_name }) => group_name)
  return groups.map((group) => {
    const own = byGroup.get(group.name)
    return own === undefined ? group : { ...group, budgets: own.map((row) => BudgetRule.parse(row)) }
  })
}
