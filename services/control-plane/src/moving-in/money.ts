import { LogType } from '@tollgate/contracts/enums'
import { HOUR_SECONDS, type Quota } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import {
  addChannelUsage,
  addSpending,
  addTokenSpending,
  addUsageHours,
  lockPostingCursor,
  type UsageHourRow,
} from '@tollgate/db/queries/ledger/posting'
import { listShards } from '@tollgate/db/queries/moving-in/import-accounts'
import { addGranted, createTokenGrant } from '@tollgate/db/queries/tokens/tokens'
import { addBalanceCorrections } from '@tollgate/db/queries/wallet/balance-corrections'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import type { Run } from './carry.ts'

/**
 * Use that was charged before the move and has no request here. It is in the rollup as rows of administration, so that every sum of the
 * ledger holds and no chart shows it: what is carried of it by hour or request is taken off these rows.
 */
type Carried = {
  readonly user_id: number
  readonly token_id?: number
  readonly channel_id?: number
  readonly token_name?: string
  readonly quota: Quota
  readonly token_quota?: Quota
}

/** Sums of an hour without use. */
export const NO_USE = {
  requests: 0,
  quota: 0,
  token_quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time_ms: 0,
  logged_requests: 0,
  logged_quota: 0,
} as const

export async function addCarriedUse(run: Run, tx: Tx, rows: readonly Carried[]): Promise<void> {
  const hour = run.now - (run.now % HOUR_SECONDS)
  const sums = new Map<string, UsageHourRow>()
  for (const { user_id, token_id = 0, channel_id = 0, token_name = '', quota, token_quota = 0 } of rows) {
    if (quota === 0 && token_quota === 0) continue
    const key = JSON.stringify([user_id, token_id, channel_id, token_name])
    const row = sums.get(key) ?? {
      ...NO_USE,
      hour,
      user_id,
      token_id,
      channel_id,
      token_name,
      model_name: '',
      group: '',
      type: LogType.admin,
    }
    row.quota += quota
    row.token_quota += token_quota
    sums.set(key, row)
  }
  const filled = [...sums.values()].filter(({ quota, token_quota }) => quota !== 0 || token_quota !== 0)
  const SIZE = 5000
  for (let start = 0; start < filled.length; start += SIZE) await addUsageHours(tx, filled.slice(start, start + SIZE))
}

/** Use of a channel: the total of all users stays as it is. */
export const channelUse = (channel_id: number, quota: Quota): Carried[] => [
  { user_id: 0, channel_id, quota },
  { user_id: 0, quota: 0 - quota },
]

/** Use of a token is a part of its user's. */
export const tokenUse = (token: Required<Pick<Carried, 'user_id' | 'token_id' | 'token_name' | 'quota' | 'token_quota'>>): Carried[] => [
  token,
  { user_id: token.user_id, quota: 0 - token.quota },
]

type WalletMove = {
  readonly user_id: number
  /** How much more, or less, is left than before. */
  readonly quota: Quota
  readonly used: Quota
  readonly requests: number
  readonly reference: string
  readonly note: string
}

/** Moves money into a wallet that exists, and may be in use, by a wallet entry. */
export async function moveWallet(run: Run, tx: Tx, { user_id, quota, used, requests, reference, note }: WalletMove): Promise<void> {
  const amount = quota + used
  if (amount !== 0) await creditWallet(tx, { user_id, kind: 'import', amount, reference, actor: 0, note, now: run.now })
  if (used === 0 && requests === 0) return
  await addSpending(tx, [{ id: user_id, spent: used, requests }])
  await addCarriedUse(run, tx, [{ user_id, quota: used }])
  if (used !== 0) await correctLater(tx, 'user', user_id, user_id)
}

type TokenMove = {
  readonly user_id: number
  readonly token_id: number
  readonly token_name: string
  readonly remain: Quota
  readonly used: Quota
  readonly isLimited: boolean
  readonly accessed_time: number
  readonly reference: string
}

export async function moveToken(run: Run, tx: Tx, move: TokenMove): Promise<void> {
  const { user_id, token_id, token_name, remain, used, isLimited, accessed_time, reference } = move
  const charged = isLimited ? used : 0
  const amount = remain + charged
  const grant = { token_id, kind: 'import', amount, reference, actor_id: 0, now: run.now } as const
  if (amount !== 0 && (await createTokenGrant(tx, grant))) await addGranted(tx, grant)
  if (used !== 0) {
    await addTokenSpending(tx, [{ id: token_id, charged, used, accessed_time }])
    await addCarriedUse(run, tx, tokenUse({ user_id, token_id, token_name, quota: used, token_quota: charged }))
    if (charged !== 0) await correctLater(tx, 'token', token_id, user_id)
  }
  await appendOutbox(tx, { subject: 'token', subject_id: token_id, now: run.now })
}

/** Redis takes the posted sum over, as after an event that posting corrected. */
async function correctLater(tx: Tx, subject: 'user' | 'token', subject_id: number, user_id: number): Promise<void> {
  const shard = (await listShards(tx, [user_id])).get(user_id)
  if (shard === undefined) return
  const { last_n } = await lockPostingCursor(tx, shard)
  await addBalanceCorrections(tx, { shard, n: last_n, accounts: [{ subject, subject_id }] })
}

export async function addChannelUse(run: Run, tx: Tx, channel_id: number, quota: Quota): Promise<void> {
  if (quota === 0) return
  await addChannelUsage(tx, [{ channel_id, shard: 0, used_quota: quota, requests: 0 }])
  await addCarriedUse(run, tx, channelUse(channel_id, quota))
}
