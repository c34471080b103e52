import { AppError } from '@tollgate/contracts/app-error'
import { LogType, RedemptionStatus } from '@tollgate/contracts/enums'
import type { Quota } from '@tollgate/contracts/units'
import { appendAccountLog } from '@tollgate/db/queries/logs/account-log'
import { findCode, takeRedemption } from '@tollgate/db/queries/wallet/redemptions'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { accountLogQuota } from '@tollgate/domain/display/account-log-text'
import type { Actor } from '@tollgate/http/actor'
import { addressBlock } from '@tollgate/http/client-ip'
import { keys } from '@tollgate/redis/keys'
import { forgetAttempts, takeAttempt } from '@tollgate/redis/stores/attempts'
import type { Context } from 'hono'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { quotaStyle } from '../users/quota-style.ts'
import { hashCode } from './code.ts'

type RedeemCall = { readonly actor: Actor; readonly c: Context; readonly ip: string }

const WAITS = { firstWaitMs: 1000, longestWaitMs: 900_000, lifetimeMs: 3_600_000 } as const
/** Wrong codes in a row: then each further try waits twice as long as the one before. Many people may share an address. */
const PER_USER = { free: 10, ...WAITS } as const
const PER_ADDRESS = { free: 50, ...WAITS } as const

/** Redeems a code, with a limit on guesses per user and per address. */
export async function redeemOwnCode(deps: Deps, { actor, c, ip }: RedeemCall, typed: string): Promise<Quota> {
  const key = inSmallLetters(typed.trim())
  if (key === '') throw new AppError('redeem.blank')
  const attempts = [keys.attempts('redeem', `user:${actor.id}`), keys.attempts('redeem', `address:${addressBlock(ip)}`)] as const
  for (const [at, rule] of [PER_USER, PER_ADDRESS].entries()) {
    const taken = await takeAttempt(deps.redis, attempts[at] ?? attempts[0], rule)
    if (taken.isTaken) continue
    c.header('Retry-After', String(Math.ceil(taken.retry_after_ms / 1000)))
    throw new AppError('rate.console')
  }
  const quota = await redeemCode(deps, actor, key)
  await forgetAttempts(deps.redis, attempts)
  return quota
}

/** People retype codes, and some keyboards in capitals. */
const inSmallLetters = (key: string): string => (/^[0-9a-f]{32}$/i.test(key) ? key.toLowerCase() : key)

/** Credits the code's quota. The code, the wallet entry and the log row are one transaction. */
export async function redeemCode(deps: Deps, actor: Pick<Actor, 'id' | 'username'>, key: string): Promise<Quota> {
  const key_hash = hashCode(key)
  const style = await quotaStyle(deps)
  const now = nowSeconds(deps)
  const quota = await deps.db.transaction().execute(async (tx) => {
    const code = await takeRedemption(tx, { key_hash, user_id: actor.id, now })
    if (code === undefined) throw new AppError(refusalOf(await findCode(tx, key_hash)))
    const reference = `redemption:${code.id}`
    await creditWallet(tx, { user_id: actor.id, kind: 'redemption', amount: code.quota, reference, actor: actor.id, note: code.name, now })
    const content = `通过兑换码充值 ${accountLogQuota(code.quota, style)}，兑换码ID ${code.id}`
    await appendAccountLog(tx, { type: LogType.topUp, user_id: actor.id, username: actor.username, content, now })
    return code.quota
  })
  await syncChanged(deps, [{ subject: 'user', id: actor.id }])
  return quota
}

function refusalOf(code: Awaited<ReturnType<typeof findCode>>): 'redeem.invalid' | 'redeem.ended' | 'redeem.used' {
  if (code === undefined) return 'redeem.invalid'
  return code.status === RedemptionStatus.unused && code.expired_time > 0 ? 'redeem.ended' : 'redeem.used'
}
