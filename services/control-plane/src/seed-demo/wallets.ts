import type { Tx } from '@tollgate/db/connect'
import { createPaymentOrder } from '@tollgate/db/queries/wallet/payments'
import { createRedemptions, takeRedemption } from '@tollgate/db/queries/wallet/redemptions'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { formatMoney } from '@tollgate/domain/payments/price'
import type { Deps } from '../deps.ts'
import { createCode } from '../resources/redemptions/code.ts'

type WalletDeps = Pick<Deps, 'sealers'> & { readonly now: number }
type Spent = { readonly id: number; readonly spent: number }

const DAY = 86_400
const QUOTA_PER_DOLLAR = 500_000
const OPENING = 2 * QUOTA_PER_DOLLAR
const CODE = 5 * QUOTA_PER_DOLLAR
const CENTS_PER_DOLLAR = { epay: 730, stripe: 100 } as const
const CURRENCY = { epay: 'cny', stripe: 'usd' } as const

/** Fills the wallets over the thirty days with what they spent and a quarter more: an opening quota, payments, a code, a gift. */
export async function fillWallets(tx: Tx, deps: WalletDeps, users: readonly Spent[]): Promise<void> {
  for (const [place, { id, spent }] of users.entries()) {
    const from = deps.now - 31 * DAY
    await creditWallet(tx, { user_id: id, kind: 'opening', amount: OPENING, reference: `demo-${id}`, actor: 0, now: from })
    const dollars = Math.ceil((1.25 * spent) / QUOTA_PER_DOLLAR / 3) + 1
    for (const [part, days] of [30, 19, 8].entries()) {
      const provider = (place + part) % 3 === 0 ? 'stripe' : 'epay'
      await addOrder(tx, { user_id: id, at: deps.now - days * DAY + place * 3700, amount: dollars, provider, status: 'paid' })
    }
  }
  const [first, second, third] = users
  if (first === undefined || second === undefined || third === undefined) return
  await addOrder(tx, { user_id: second.id, at: deps.now - 2 * DAY, amount: 10, provider: 'epay', status: 'expired' })
  await addOrder(tx, { user_id: third.id, at: deps.now - 5 * DAY, amount: 20, provider: 'stripe', status: 'failed' })
  await redeemDemoCode(tx, deps, { user_id: first.id, at: deps.now - 12 * DAY })
  const gift = { amount: QUOTA_PER_DOLLAR, reference: 'demo-gift', actor: 0, note: 'Sorry for the outage', now: deps.now - 15 * DAY }
  await creditWallet(tx, { user_id: first.id, kind: 'admin', ...gift })
}

type Order = {
  readonly user_id: number
  readonly at: number
  /** In dollars. */
  readonly amount: number
  readonly provider: 'epay' | 'stripe'
  readonly status: 'paid' | 'failed' | 'expired'
}

async function addOrder(tx: Tx, { user_id, at, amount, provider, status }: Order): Promise<void> {
  const [currency, money, quota] = [CURRENCY[provider], amount * CENTS_PER_DOLLAR[provider], amount * QUOTA_PER_DOLLAR]
  const trade_no = `DEMO${user_id}T${at}`
  const method = provider === 'stripe' ? 'stripe' : 'alipay'
  const times = { created_at: at, check_at: at, paid_at: status === 'paid' ? at + 40 : 0 }
  await createPaymentOrder(tx, { trade_no, user_id, provider, method, amount, quota, currency, places: 2, money, status, ...times })
  if (status !== 'paid') return
  const note = `${formatMoney(money, 2)} ${currency.toUpperCase()}`
  await creditWallet(tx, { user_id, kind: 'top-up', amount: quota, reference: `order:${trade_no}`, actor: 0, note, now: at + 40 })
}

async function redeemDemoCode(tx: Tx, { sealers }: WalletDeps, { user_id, at }: { user_id: number; at: number }): Promise<void> {
  const { key: _key, ...stored } = createCode(sealers.options)
  const [id = 0] = await createRedemptions(tx, [{ ...stored, user_id: 1, name: 'Welcome', quota: CODE, created_time: at - DAY }])
  await takeRedemption(tx, { key_hash: stored.key_hash, user_id, now: at })
  await creditWallet(tx, {
    user_id,
    kind: 'redemption',
    amount: CODE,
    reference: `redemption:${id}`,
    actor: user_id,
    note: 'Welcome',
    now: at,
  })
}
