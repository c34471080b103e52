import type { Redis } from 'ioredis'
import type { Quota } from '@tollgate/contracts/units'
import { execAll } from '../exec-all.ts'
import { keys } from '../keys.ts'

const LIFETIME_S = 3600

type Viewer = { readonly kind: 'user' | 'token'; readonly viewer: string }
type Shown = { readonly id: number; readonly quota: Quota }

/**
 * Remembers the absolute quota that a session was shown for these rows, so that an edit that sends an absolute value can be booked as
 * a difference to it.
 */
export async function rememberQuotaEditBaseline(
  redis: Redis,
  { kind, viewer, shown }: Viewer & { shown: readonly Shown[] },
): Promise<void> {
  if (shown.length === 0) return
  const key = keys.quotaEditBaseline(kind, viewer)
  await execAll(
    redis
      .multi()
      .hset(key, Object.fromEntries(shown.map(({ id, quota }) => [String(id), quota])))
      .expire(key, LIFETIME_S),
  )
}

/** The quota that this session was last shown for the row, within the last hour. */
export async function findQuotaEditBaseline(redis: Redis, { kind, viewer, id }: Viewer & { id: number }): Promise<Quota | undefined> {
  const text = await redis.hget(keys.quotaEditBaseline(kind, viewer), String(id))
  return text === null ? undefined : Number(text)
}
