import { randomBytes } from 'node:crypto'
import { createSealer, hashTokenKey, sealedBy } from '@tollgate/config/sealing'
import type { Tx } from '@tollgate/db/connect'
import type { Stack } from './stack.ts'

export type Seeded = { readonly userId: number; readonly tokenId: number; readonly shard: number; readonly key: string }

type SeedOptions = { readonly credited: number; readonly granted: number; readonly isUnlimited?: boolean }

type Seedable = { readonly database: Pick<Stack['database'], 'db'>; readonly env: Stack['env'] }

/** A user with a wallet and one token, as an import creates them: rows and entries only, nothing in Redis (cold). */
export async function seedUser({ database: { db }, env }: Seedable, options: SeedOptions): Promise<Seeded> {
  // The worker may check the ledger meanwhile.
  return await db.transaction().execute((tx) => insertUser(tx, env, options))
}

async function insertUser(db: Tx, env: Stack['env'], options: SeedOptions): Promise<Seeded> {
  const now = Math.floor(Date.now() / 1000)
  const name = `user-${randomBytes(4).toString('hex')}`
  const user = await db
    .insertInto('users')
    .values({ shard: 0, username: name, display_name: name, credited: options.credited, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const shard = user.id % Number(env['SHARDS'])
  await db.updateTable('users').set({ shard }).where('id', '=', user.id).execute()
  await db
    .insertInto('wallet_entries')
    .values({ user_id: user.id, kind: 'import', amount: options.credited, reference: `seed-${user.id}`, created_at: now })
    .execute()
  const key = randomBytes(64)
    .toString('base64')
    .replaceAll(/[^0-9A-Za-z]/g, 'x')
    .slice(0, 48)
  const keyHash = hashTokenKey(key)
  const token = await db
    .insertInto('tokens')
    .values({
      user_id: user.id,
      name: 'seeded',
      key_hash: keyHash,
      key_sealed: createSealer(env['KEY_OPTIONS'] ?? '').seal(key, sealedBy.tokenKey(keyHash)),
      key_head: key.slice(0, 4),
      key_tail: key.slice(-4),
      created_time: now,
      granted: options.granted,
      unlimited_quota: options.isUnlimited ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('token_grants')
    .values({ token_id: token.id, kind: 'import', amount: options.granted, reference: `seed-${token.id}`, created_at: now })
    .execute()
  return { userId: user.id, tokenId: token.id, shard, key }
}
