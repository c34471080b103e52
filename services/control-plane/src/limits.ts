import { createHash } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { status } from '@tollgate/contracts/resources/status'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import type { Limited } from '@tollgate/http/bind-all'
import { addressBlock } from '@tollgate/http/client-ip'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Context } from 'hono'
import type { Deps } from './deps.ts'
import { findCookieSession } from './authentication/cookie-sessions.ts'

const WINDOW_MS = 20 * 60 * 1000
/** Per address and purpose. Attempts at a password have a growing wait too. */
const MAX_CALLS = { critical: 20, 'sign-in': 200 } as const
/** Sign-ins with one name from one address. */
const SIGN_INS = 20

/** Calls of a session for each call of an address: a page that follows the log makes about thirty a minute, and people open several. */
const SESSION_FACTOR = 5

type LimitDeps = Pick<Deps, 'redis' | 'env' | 'now' | 'options'>
type Asked = { readonly endpoint: Endpoint; readonly ip: string; readonly c: Context }

/**
 * Rate limits: one over all calls of a session, or of an address that is not signed in, and one per address for each critical purpose. An
 * office behind one address does not use up the calls of a signed-in operator.
 */
export function createLimits(deps: LimitDeps): (ask: Asked) => Promise<Limited | undefined> {
  return async ({ endpoint, ip, c }) => {
    // It says that Redis is away, where the windows are; its probe is shared by all callers.
    if (endpoint === status.stores) return undefined
    const block = addressBlock(ip)
    return (await limitAll(deps, c, block)) ?? (await limitCritical(deps, endpoint, block))
  }
}

async function limitAll(deps: LimitDeps, c: Context, ip: string): Promise<Limited | undefined> {
  const { redis, env } = deps
  if (!env.GLOBAL_API_RATE_LIMIT_ENABLE || env.GLOBAL_API_RATE_LIMIT === 0) return undefined
  const windowMs = env.GLOBAL_API_RATE_LIMIT_DURATION * 1000
  const session = await findCookieSession(deps, c)
  const max = env.GLOBAL_API_RATE_LIMIT
  if (session === undefined) return take({ redis }, { key: keys.consoleWindow('api', ip), max, windowMs })
  return take({ redis }, { key: keys.consoleWindow('api-session', session.id_hash), max: max * SESSION_FACTOR, windowMs })
}

async function limitCritical({ redis }: Pick<Deps, 'redis'>, endpoint: Endpoint, ip: string): Promise<Limited | undefined> {
  if (endpoint.limit === 'none') return undefined
  return take({ redis }, { key: keys.consoleWindow(endpoint.path, ip), max: MAX_CALLS[endpoint.limit], windowMs: WINDOW_MS })
}

/** Throws when too many sign-ins with this name, right or wrong, came from this address. */
export async function limitSignIns(deps: Pick<Deps, 'redis'>, { c, ip, name }: { c: Context; ip: string; name: string }): Promise<void> {
  const subject = createHash('sha256').update(name.normalize('NFKC').toLowerCase()).digest('hex').slice(0, 32)
  const key = keys.consoleWindow('sign-in', `${subject}:${addressBlock(ip)}`)
  const limited = await take(deps, { key, max: SIGN_INS, windowMs: WINDOW_MS })
  if (limited === undefined) return
  c.header('Retry-After', String(Math.max(1, Math.ceil(limited.retry_after_s))))
  throw new AppError('rate.console')
}

async function take(
  { redis }: Pick<Deps, 'redis'>,
  { key, max, windowMs }: { key: string; max: number; windowMs: number },
): Promise<Limited | undefined> {
  const taken = await takeFromWindow(redis, key, max, windowMs)
  return taken.isTaken ? undefined : { retry_after_s: taken.retry_after_ms / 1000 }
}
