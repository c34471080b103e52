import { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import { readScript } from '../scripts/read-script.ts'

const TTL_SECONDS = 3600
const putScript = readScript('token-put')

/** The cached record for the SHA-256 of a key. A record that this version cannot parse counts as absent. */
export async function getTokenRecord(redis: Redis, keyHash: string): Promise<TokenRecord | undefined> {
  const text = await redis.get(keys.tokenRecord(keyHash))
  if (text === null) return undefined
  const parsed = TokenRecord.safeParse(parseJson(text))
  return parsed.success ? parsed.data : undefined
}

/**
 * Caches a record for an hour. Rewrite it before raising the `auth` number of its account. A record read from Postgres before a change
 * never replaces one read after it.
 */
export async function putTokenRecord(redis: Redis, keyHash: string, record: TokenRecord): Promise<void> {
  await redis.eval(putScript, 1, keys.tokenRecord(keyHash), JSON.stringify(record), record.token_auth, record.user_auth, TTL_SECONDS)
}

export async function removeTokenRecord(redis: Redis, keyHash: string): Promise<void> {
  await redis.del(keys.tokenRecord(keyHash))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON counts as absent: the caller looks the token up and caches it again.
    return undefined
  }
}
