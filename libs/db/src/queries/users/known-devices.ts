import { sql } from 'kysely'
import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../../connect.ts'

/** A client without cookies is new at each sign-in. */
const MAX_DEVICES = 50

type Device = { readonly user_id: number; readonly device_hash: string; readonly origin_hash: string; readonly now: UnixSeconds }

/**
 * Notes that a browser signed in to an account. `first`: the account had no other; `notified`: a notice of another device of
 * this origin was sent today. Parallel sign-ins of one browser are new once.
 */
export async function noteDevice(tx: Tx, device: Device): Promise<'known' | 'first' | 'new' | 'notified'> {
  const { user_id, device_hash, origin_hash, now } = device
  const { isNew } = await tx
    .insertInto('known_devices')
    .values({ user_id, device_hash, origin_hash, seen_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'device_hash']).doUpdateSet({ seen_at: now }))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow()
  if (!isNew) return 'known'
  const { count } = await tx
    .selectFrom('known_devices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  if (count > MAX_DEVICES) await removeOldest(tx, user_id)
  if (count === 1) return 'first'
  return (await inheritNotice(tx, device)) ? 'notified' : 'new'
}

/** Notes that a notice of this device is sent. */
export async function setDeviceNotified(tx: Tx, { user_id, device_hash, now }: Omit<Device, 'origin_hash'>): Promise<void> {
  await tx
    .updateTable('known_devices')
    .set({ told_at: now })
    .where('user_id', '=', user_id)
    .where('device_hash', '=', device_hash)
    .execute()
}

/** The newest device keeps the time, since the oldest ones are removed. */
async function inheritNotice(tx: Tx, { user_id, device_hash, origin_hash, now }: Device): Promise<boolean> {
  const last = await tx
    .selectFrom('known_devices')
    .select('told_at')
    .where('user_id', '=', user_id)
    .where('origin_hash', '=', origin_hash)
    .where('told_at', '>', now - DAY_SECONDS)
    .orderBy('told_at', 'desc')
    .executeTakeFirst()
  if (last === undefined) return false
  await setDeviceNotified(tx, { user_id, device_hash, now: last.told_at })
  return true
}

async function removeOldest(tx: Tx, user_id: number): Promise<void> {
  const kept = tx
    .selectFrom('known_devices')
    .select('device_hash')
    .where('user_id', '=', user_id)
    .orderBy('seen_at', 'desc')
    .limit(MAX_DEVICES)
  await tx.deleteFrom('known_devices').where('user_id', '=', user_id).where('device_hash', 'not in', kept).execute()
}
