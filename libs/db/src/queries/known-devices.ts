import { sql } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../connect.ts'

/** A client without cookies is new at each sign-in. */
const MAX_DEVICES = 50

type Device = { readonly user_id: number; readonly device_hash: string; readonly now: UnixSeconds }

/** Notes that a browser signed in to an account. `first`: the account had no other; parallel sign-ins of one browser are new once. */
export async function noteDevice(tx: Tx, { user_id, device_hash, now }: Device): Promise<'known' | 'first' | 'new'> {
  const { isNew } = await tx
    .insertInto('known_devices')
    .values({ user_id, device_hash, seen_at: now })
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
  return count === 1 ? 'first' : 'new'
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
