import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { listTokenOwnersByKeyHash } from '@tollgate/db/queries/tokens/tokens'
import { putTokenRecord } from '@tollgate/redis/stores/token-store'
import type { Deps } from '../deps.ts'
import { toTokenRecord } from './token-record.ts'

/** The records of these keys from Postgres, in the requested order; found ones are cached for relays. null: no such key. */
export async function lookUpTokens(deps: Pick<Deps, 'db' | 'redis'>, keyHashes: readonly string[]): Promise<(TokenRecord | null)[]> {
  const rows = await listTokenOwnersByKeyHash(deps.db, keyHashes)
  // Deleted tokens are not found; a cached record of one stays, disabled, until it expires.
  const alive = rows.filter((row) => row.token_deleted_at === null && row.user_deleted_at === null)
  const records = new Map(alive.map((row) => [row.key_hash, toTokenRecord(row)]))
  await Promise.all([...records].map(([keyHash, record]) => putTokenRecord(deps.redis, keyHash, record)))
  return keyHashes.map((keyHash) => records.get(keyHash) ?? null)
}
