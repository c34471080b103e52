import { sql, type ExpressionBuilder, type Selectable, type SqlBool } from 'kysely'
import { EXTRA_CAPABILITIES, parseChannelTests, withChannelTest, type ChannelTest } from '@tollgate/contracts/channels/channel-tests'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'
import { escapeLike } from '../../like.ts'
import { clearChannelFailures } from './channel-failures.ts'
import { hasState, type StateFilter } from './channel-states.ts'
import { safeSum } from '../../safe-sum.ts'

type Channels = Selectable<Database['channels']>

/** Columns of the API's Channel; never the key. */
const SHOWN = [
  'id',
  'type',
  'name',
  'status',
  'openai_organization',
  'test_model',
  'base_url',
  'other',
  'models',
  'group',
  'model_mapping',
  'status_code_mapping',
  'param_override',
  'setting',
  'setting_sealed',
  'max_input_tokens',
  'priority',
  'weight',
  'auto_ban',
  'tag',
  'balance',
  'balance_updated_time',
  'response_time',
  'test_time',
  'test_error',
  'tests',
  'other_info',
  'key_states',
  'key_expires_at',
  'created_time',
] as const satisfies readonly (keyof Channels)[]
export type ChannelRow = Pick<Channels, (typeof SHOWN)[number]> & { readonly used_quota: number }

export type ChannelOrder = 'priority' | 'id'
const ORDERS = { priority: sql`"priority" desc, "id" desc`, id: sql`"id" desc` } as const satisfies Record<ChannelOrder, unknown>

/** One page of channels. The page is selected by id first, so that usage is summed for its rows only. */
export function listChannels(
  db: Db | Tx,
  page: { order: ChannelOrder; limit: number; offset: number; isUntagged?: boolean },
): Promise<ChannelRow[]> {
  const all = db.selectFrom('channels').select('id')
  const onPage = (page.isUntagged === true ? all.where('tag', '=', '') : all)
    .orderBy(ORDERS[page.order])
    .limit(page.limit)
    .offset(page.offset)
  return selectShown(db).where('id', 'in', onPage).orderBy(ORDERS[page.order]).execute()
}

/** One page of distinct tags. */
export async function listTags(db: Db | Tx, page: { limit: number; offset: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('tag')
    .distinct()
    .where('tag', '<>', '')
    .orderBy('tag')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map((row) => row.tag)
}

/** All channels of these tags. There may be thousands, so their usage is summed in one query. */
export async function listChannelsByTag(
  db: Db | Tx,
  { tags, order }: { tags: readonly string[]; order: ChannelOrder },
): Promise<ChannelRow[]> {
  if (tags.length === 0) return []
  const used = db
    .selectFrom('channel_usage')
    .select(['channel_id', safeSum(sql`used_quota`).as('sum')])
    .where('channel_id', 'in', db.selectFrom('channels').select('id').where('tag', 'in', tags))
    .groupBy('channel_id')
    .as('used')
  return await db
    .selectFrom('channels')
    .leftJoin(used, 'used.channel_id', 'channels.id')
    .select([...SHOWN, sql<number>`coalesce(used.sum, 0)`.as('used_quota')])
    .where('tag', 'in', tags)
    .orderBy(ORDERS[order])
    .execute()
}

export type ChannelSearch = {
  /** The id, part of the name or base URL, the last four characters of a key, or the fingerprint of the complete key. Empty: no filter. */
  readonly keyword: string
  readonly key_hash: string
  /** One of the channel's groups, exactly. Empty: no filter. */
  readonly group: string
  /** Part of the models text. Empty: no filter. */
  readonly model: string
  /** Absent: no filter. */
  readonly state?: StateFilter | undefined
  readonly order: ChannelOrder
  readonly limit: number
}

export function searchChannels(db: Db | Tx, search: ChannelSearch): Promise<ChannelRow[]> {
  return selectShown(db)
    .where((eb) => matches(eb, search))
    .orderBy(ORDERS[search.order])
    .limit(search.limit)
    .execute()
}

/** The tags of the channels that match a search. */
export async function searchTags(db: Db | Tx, search: ChannelSearch): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('tag')
    .distinct()
    .where('tag', '<>', '')
    .where((eb) => matches(eb, search))
    .orderBy('tag')
    .limit(search.limit)
    .execute()
  return rows.map((row) => row.tag)
}

/** Those of the ids that exist. */
export async function listExistingChannelIds(db: Db | Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('channels').select('id').where('id', 'in', ids).execute()
  return rows.map((row) => row.id)
}

export function findChannel(db: Db | Tx, id: number): Promise<ChannelRow | undefined> {
  return selectShown(db).where('id', '=', id).executeTakeFirst()
}

/** The sealed key, for copying the channel and for calls to its vendor. */
export function findSealedKey(db: Db | Tx, id: number): Promise<{ key_sealed: string; key_hash: string } | undefined> {
  return db.selectFrom('channels').select(['key_sealed', 'key_hash']).where('id', '=', id).executeTakeFirst()
}

/** Columns that relays read, and those that abilities are built from. */
const ROUTED = [
  'id',
  'type',
  'name',
  'status',
  'key_sealed',
  'openai_organization',
  'base_url',
  'other',
  'models',
  'group',
  'model_mapping',
  'status_code_mapping',
  'param_override',
  'setting',
  'setting_sealed',
  'priority',
  'weight',
  'auto_ban',
  'tag',
  'other_info',
  'key_states',
] as const satisfies readonly (keyof Channels)[]
export type RoutedChannelRow = Pick<Channels, (typeof ROUTED)[number]>

/** These channels, or all channels. */
export async function listRoutedChannels(db: Db | Tx, ids?: readonly number[]): Promise<RoutedChannelRow[]> {
  if (ids !== undefined && ids.length === 0) return []
  return db
    .selectFrom('channels')
    .select(ROUTED)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()
}

/** The same rows, locked in id order until the transaction ends. */
export async function lockChannels(tx: Tx, ids: readonly number[]): Promise<RoutedChannelRow[]> {
  if (ids.length === 0) return []
  return tx.selectFrom('channels').select(ROUTED).where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

export async function lockChannelsOfTag(tx: Tx, tag: string): Promise<RoutedChannelRow[]> {
  return tx.selectFrom('channels').select(ROUTED).where('tag', '=', tag).orderBy('id').forUpdate().execute()
}

/** The fields that an edit may set, without the key and the secrets of the setting: they are set separately, sealed. */
export type ChannelFields = Pick<
  Channels,
  | 'type'
  | 'name'
  | 'status'
  | 'openai_organization'
  | 'test_model'
  | 'base_url'
  | 'other'
  | 'models'
  | 'group'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'param_override'
  | 'setting'
  | 'max_input_tokens'
  | 'priority'
  | 'weight'
  | 'auto_ban'
  | 'tag'
>

const TRANSFERRED = [
  'id',
  'name',
  'type',
  'status',
  'base_url',
  'models',
  'group',
  'priority',
  'weight',
  'tag',
  'auto_ban',
  'test_model',
  'openai_organization',
  'other',
  'model_mapping',
  'status_code_mapping',
  'param_override',
  'setting',
  'max_input_tokens',
  'key_sealed',
  'setting_sealed',
  'key_states',
  'other_info',
] as const satisfies readonly (keyof Channels)[]
export type TransferredRow = Pick<Channels, (typeof TRANSFERRED)[number]>

/** The columns of these channels, or of all, that a file has, by id. */
export async function listTransferred(db: Db | Tx, ids?: readonly number[]): Promise<TransferredRow[]> {
  if (ids?.length === 0) return []
  return db
    .selectFrom('channels')
    .select(TRANSFERRED)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()
}

/** Reserves the next channel ids: a key is sealed with its channel's id before the row is written. */
export async function takeChannelIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('channels', 'id')) as id from generate_series(1, ${count}::int)`.execute(tx)
  return rows.map((row) => row.id)
}

type KeyStateColumns = Pick<Channels, 'key_tails' | 'key_states' | 'key_expires_at'>
export type NewChannel = ChannelFields &
  Pick<Channels, 'id' | 'key_sealed' | 'key_hash' | 'setting_sealed' | 'created_time'> &
  Partial<KeyStateColumns>

/** Rows per statement: 26 parameters each, far below Postgres' 65 535. */
const CHUNK = 1000

export async function createChannels(tx: Tx, channels: readonly NewChannel[]): Promise<void> {
  for (let start = 0; start < channels.length; start += CHUNK) {
    await tx
      .insertInto('channels')
      .values(channels.slice(start, start + CHUNK))
      .execute()
  }
}

export type ChannelPatch = Partial<
  ChannelFields & KeyStateColumns & Pick<Channels, 'key_sealed' | 'key_hash' | 'setting_sealed' | 'other_info'>
>

export async function updateChannels(tx: Tx, { ids, patch }: { ids: readonly number[]; patch: ChannelPatch }): Promise<void> {
  if (ids.length === 0 || Object.keys(patch).length === 0) return
  const { models, model_mapping } = patch
  const isCompared = sql<boolean>`(models = ${models ?? sql.ref('models')} and model_mapping = ${model_mapping ?? sql.ref('model_mapping')})`
  // A comparison with the vendor's models is void after a change of the channel's.
  const model_check = sql<string>`case when ${isCompared} then model_check else '' end`
  const isVoid = models !== undefined || model_mapping !== undefined
  await tx
    .updateTable('channels')
    .set({ ...patch, ...(isVoid ? { model_check } : {}) })
    .where('id', 'in', ids)
    .execute()
}

export type RemovedChannel = Pick<Channels, 'id' | 'name'>

/** Deletes channels with their abilities; returns those that existed. */
export async function removeChannels(tx: Tx, ids: readonly number[]): Promise<RemovedChannel[]> {
  if (ids.length === 0) return []
  return tx.deleteFrom('channels').where('id', 'in', ids).returning(['id', 'name']).execute()
}

export async function removeDisabledChannels(tx: Tx): Promise<RemovedChannel[]> {
  return tx
    .deleteFrom('channels')
    .where('status', 'in', [ChannelStatus.disabled, ChannelStatus.autoDisabled])
    .returning(['id', 'name'])
    .execute()
}

export type StoredTest = { readonly id: number; readonly test: ChannelTest }

/** Stores the result of a test beside the last ones of other capabilities; relays do not read it. */
export async function recordChannelTest(db: Db | Tx, { id, test }: StoredTest): Promise<void> {
  const row = await db.selectFrom('channels').select('tests').where('id', '=', id).executeTakeFirst()
  if (row === undefined) return
  const tests = JSON.stringify(withChannelTest(parseChannelTests(row.tests), test))
  const test_error = test.ok ? '' : test.message || 'failed'
  const isExtra = EXTRA_CAPABILITIES.has(test.capability)
  await db
    .updateTable('channels')
    .set({ tests, ...(isExtra ? {} : { response_time: Math.round(test.time_ms), test_time: test.at, test_error }) })
    .where('id', '=', id)
    .execute()
  if (test.ok && test.fault?.code !== 'channel-fault.not-tested') await clearChannelFailures(db, [id], test.at * 1000 + 999)
}

/** Ids and names of these channels or of all, by id. */
export async function listChannelNames(
  db: Db | Tx,
  { ids, isEnabled }: { readonly ids: readonly number[] | undefined; readonly isEnabled: boolean },
): Promise<{ id: number; name: string }[]> {
  if (ids !== undefined && ids.length === 0) return []
  return db
    .selectFrom('channels')
    .select(['id', 'name'])
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .$if(isEnabled, (query) => query.where('status', '=', ChannelStatus.enabled))
    .orderBy('id')
    .execute()
}

/** The shown part of these channels' settings. */
export async function listSettings(db: Db | Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('channels').select(['id', 'setting']).where('id', 'in', ids).where('setting', '<>', '').execute()
  return new Map(rows.map(({ id, setting }) => [id, setting]))
}

function selectShown(db: Db | Tx) {
  return db.selectFrom('channels').select([
    ...SHOWN,
    // channel_usage has a row per shard, so that posting transactions never share a row; sum(int8) is numeric in Postgres.
    sql<number>`(select ${safeSum(sql`u.used_quota`)} from channel_usage as u where u.channel_id = channels.id)`.as('used_quota'),
  ])
}

function matches(eb: ExpressionBuilder<Database, 'channels'>, search: ChannelSearch) {
  return eb.and([
    ...(search.keyword === '' ? [] : [matchesKeyword(eb, search)]),
    ...(search.group === '' ? [] : [sql<SqlBool>`${search.group} = any(string_to_array("channels"."group", ','))`]),
    ...(search.model === '' ? [] : [eb('channels.models', 'ilike', `%${escapeLike(search.model)}%`)]),
    ...(search.state === undefined ? [] : [hasState(search.state)]),
  ])
}

function matchesKeyword(eb: ExpressionBuilder<Database, 'channels'>, { keyword, key_hash }: ChannelSearch) {
  const part = `%${escapeLike(keyword)}%`
  return eb.or([
    ...(/^\d{1,15}$/.test(keyword) ? [eb('channels.id', '=', Number(keyword))] : []),
    eb('channels.name', 'ilike', part),
    eb('channels.base_url', 'ilike', part),
    eb('channels.key_hash', '=', key_hash),
    ...(/^\S{4}$/.test(keyword) ? [sql<SqlBool>`${keyword} = any(string_to_array("channels".key_tails, ' '))`] : []),
  ])
}
