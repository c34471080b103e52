import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus, LogType, TokenStatus } from '@tollgate/contracts/enums'
import type { Db } from '../../connect.ts'
import { logStoreOf } from '../../log-store.ts'

/** The oldest enabled channel, or else the oldest channel. */
export async function findFirstChannel(db: Db): Promise<{ id: number; name: string; models: string } | undefined> {
  return await db
    .selectFrom('channels')
    .select(['id', 'name', 'models'])
    .orderBy((eb) => eb('status', '=', ChannelStatus.enabled), 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** An enabled channel with a test result. */
export async function findTestedChannel(db: Db): Promise<{ id: number; response_time: number } | undefined> {
  return await db
    .selectFrom('channels')
    .select(['id', 'response_time'])
    .where('status', '=', ChannelStatus.enabled)
    .where('response_time', '>', 0)
    .where('test_error', '=', '')
    .orderBy('test_time', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A usable token of this user. */
export async function findFirstToken(db: Db, userId: number): Promise<{ id: number; name: string } | undefined> {
  return await db
    .selectFrom('tokens')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where('status', '=', TokenStatus.enabled)
    .where('deleted_at', 'is', null)
    .where('is_internal', '=', false)
    .where('internal_for', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

type FirstRequest = { readonly id: number; readonly created_at: number; readonly model_name: string }

/** The newest request that this user made with a token; with id 0 and the time of its hour while a log store is away. */
export async function findFirstRequest(db: Db, userId: number): Promise<FirstRequest | undefined> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const filter = { user_id: userId, type: LogType.consume }
    const columns = ['id', 'created_at', 'model_name'] as const
    try {
      return (await store.select({ columns, order: 'newest', limit: 1, filter, hasToken: true }))[0]
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'logs.store-away')) throw error
      return await findFirstUse(db, userId)
    }
  }
  return await db
    .selectFrom('logs')
    .select(['id', 'created_at', 'model_name'])
    .where('user_id', '=', userId)
    .where('type', '=', LogType.consume)
    .where('token_id', '>', 0)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function findFirstUse(db: Db, userId: number): Promise<FirstRequest | undefined> {
  const used = await db
    .selectFrom('usage_hours')
    .select(['hour', 'model_name'])
    .where('user_id', '=', userId)
    .where('type', '=', LogType.consume)
    .where('token_id', '>', 0)
    .where('requests', '>', 0)
    .orderBy('hour', 'desc')
    .limit(1)
    .executeTakeFirst()
  return used === undefined ? undefined : { id: 0, created_at: used.hour, model_name: used.model_name }
}
