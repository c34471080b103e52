import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import { addressBlock } from '@tollgate/http/client-ip'
import { keys } from '@tollgate/redis/keys'
import { forgetAttempts, takeAttempt } from '@tollgate/redis/stores/attempts'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'

/** From one address at one account: 4 attempts at once, then after 1, 2, 4 … 900 seconds. */
const FROM_ADDRESS = { free: 5, firstWaitMs: 1000, longestWaitMs: 900_000, lifetimeMs: 3_600_000 } as const
/** From all addresses at one account. Refuses none, because then an attacker could lock the account; see `slowDown`. */
const FROM_ALL = { free: Number.MAX_SAFE_INTEGER, firstWaitMs: 0, longestWaitMs: 0, lifetimeMs: 1_200_000 } as const
const SLOW_AFTER = 20
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 3000

type AttemptDeps = Pick<Deps, 'redis' | 'log'>
type Attempt = {
  readonly c: Context
  readonly ip: string
  readonly purpose: 'sign-in' | 'password' | 'second-step'
  /** The account, or the name that none has. */
  readonly account: number | string
}

/**
 * Allows one attempt at an account's password and returns what to call when it was right. The wait grows with each failure of an
 * address, so an attacker at another address cannot keep the owner out.
 */
export async function allowAttempt({ redis, log }: AttemptDeps, { c, ip, purpose, account }: Attempt): Promise<() => Promise<void>> {
  const subject = createHash('sha256').update(String(account)).digest('hex').slice(0, 32)
  const [own, all] = [keys.attempts(purpose, `${subject}:${addressBlock(ip)}`), keys.attempts(purpose, subject)]
  const taken = await takeAttempt(redis, own, FROM_ADDRESS)
  if (!taken.isTaken) {
    c.header('Retry-After', String(Math.ceil(taken.retry_after_ms / 1000)))
    throw new AppError('rate.console')
  }
  const total = await takeAttempt(redis, all, FROM_ALL)
  const count = total.isTaken ? total.count : 0
  if (count === SLOW_AFTER)
    log.warn(
      { reason: purpose, count, ...(typeof account === 'number' ? { user_id: account } : {}) },
      'Many wrong passwords for one account',
    )
  await slowDown(count)
  return () => forgetAttempts(redis, [own, all])
}

/** Many addresses that guess one account each wait longer for their answer. */
async function slowDown(count: number): Promise<void> {
  if (count > SLOW_AFTER) await wait(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - SLOW_AFTER - 1)))
}
