import { TokenRecord } from '@tollgate/contracts/internal-api'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import { readScript } from '../scripts/read-script.ts'

const TTL_SECONDS = 3600
const putScript = readScript('token-put')

/** The cached record of a key's sha-256; a record this version cannot read counts as absent. */
export async function getTokenRecord(redis: Redis, keyHash: string): Promise<TokenRecord | undefined> {
  const text = await redis.get(keys.tokenRecord(keyHash))
  if (text === null) return undefined
  const parsed = TokenRecord.safeParse(parseJson(text))
  return parsed.success ? parsed.data : undefined
}

/**
 * Caches a record for an hour. Rewrite it before the `auth` number of its account is raised. A record read from Postgres before a
 * change loses against one read after it, whichever is written last.
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
    // A record that is no JSON is a record that is not there: it is asked for and written anew.
    return undefined
  }
}
