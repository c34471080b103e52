import { ChannelStatus } from '@tollgate/contracts/enums'
import type { Db, Tx } from '../../connect.ts'

const COLUMNS = [
  'id',
  'type',
  'name',
  'status',
  'key_sealed',
  'models',
  'group',
  'priority',
  'weight',
  'tag',
  'setting',
  'auto_ban',
  'test_model',
  'test_time',
  'other_info',
  'key_states',
] as const
export type ChannelHealthRow = Awaited<ReturnType<typeof listChannelsToRetest>>[number]

/** A channel whose status may change because of a failure or test; locked until the transaction ends. */
export function lockChannelHealth(tx: Tx, id: number): Promise<ChannelHealthRow | undefined> {
  return tx.selectFrom('channels').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Channels that have a key which expires before a time. */
export function listExpiringKeys(db: Db | Tx, { before }: { before: number }) {
  return db
    .selectFrom('channels')
    .select(['id', 'key_states'])
    .where('key_expires_at', '>', 0)
    .where('key_expires_at', '<=', before)
    .orderBy('id')
    .execute()
}

/** Channels that were disabled automatically or have such keys, the one tested longest ago first. */
export function listChannelsToRetest(db: Db | Tx, { tested_before, limit }: { tested_before: number; limit: number }) {
  return db
    .selectFrom('channels')
    .select(COLUMNS)
    .where((eb) =>
      eb.or([
        eb('status', '=', ChannelStatus.autoDisabled),
        eb.and([eb('status', '=', ChannelStatus.enabled), eb('other_info', 'like', '%"keys":%')]),
      ]),
    )
    .where('test_time', '<=', tested_before)
    .orderBy('test_time')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The channels of some types that are not disabled by hand, for work on their keys. */
export function listChannelsOfTypes(
  db: Db | Tx,
  types: readonly number[],
): Promise<Pick<ChannelHealthRow, 'id' | 'type' | 'key_sealed' | 'setting'>[]> {
  return db
    .selectFrom('channels')
    .select(['id', 'type', 'key_sealed', 'setting'])
    .where('type', 'in', types)
    .where('status', '!=', ChannelStatus.disabled)
    .orderBy('id')
    .execute()
}
