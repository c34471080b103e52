import { LogType, type PaymentProviderId } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '@tollgate/db/connect'
import { appendAccountLog } from '@tollgate/db/queries/logs/account-log'
import { lockPaymentOrder, recordPaymentEvent, updatePaymentOrder, type PaymentOrderRow } from '@tollgate/db/queries/wallet/payments'
import { queueEvent } from '@tollgate/db/queries/deliveries/events'
import { notifyRoots } from '@tollgate/db/queries/deliveries/notifications'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { applyPaymentEvent, type PaymentEntry, type Transition } from '@tollgate/domain/payments/order'
import { formatMoney } from '@tollgate/domain/payments/price'
import type { Statement } from './provider.ts'

/** `unknown-order`: nothing is stored, because a stranger can make a provider send numbers that we never gave. */
export type Booked =
  | { readonly kind: 'booked'; readonly user_id: number; readonly outcome: 'credited' | 'refunded' | 'closed' | 'noted' }
  | { readonly kind: 'known' | 'refused' | 'unknown-order' }

export type StatementInput = {
  readonly provider: PaymentProviderId
  readonly statement: Statement
  readonly now: UnixSeconds
  /** Quota as existing consoles write it in the log. */
  readonly formatQuota: (quota: number) => string
}

/**
 * Applies a verified statement to its order: state, wallet entry, log row and the record of the statement, all in one transaction. Safe to
 * call any number of times, in any order and in parallel; the caller syncs the wallet of `user_id` after commit.
 */
export function applyStatement(db: Db, input: StatementInput): Promise<Booked> {
  return db.transaction().execute((tx) => applyInTransaction(tx, input))
}

async function applyInTransaction(tx: Tx, { provider, statement, now, formatQuota }: StatementInput): Promise<Booked> {
  const order = await lockPaymentOrder(tx, { provider, trade_no: statement.trade_no })
  if (order === undefined) return { kind: 'unknown-order' }
  const transition = contradicts(order, statement)
    ? { kind: 'refused' as const, reason: 'payment' as const }
    : applyPaymentEvent(order, statement.event)
  const outcome = outcomeOf(transition)
  await recordPaymentEvent(tx, {
    provider,
    event_id: statement.event_id,
    trade_no: order.trade_no,
    kind: statement.event.kind,
    outcome,
    detail: detailOf(transition, statement),
    now,
  })
  if (transition.kind === 'known') return { kind: 'known' }
  if (transition.kind === 'refused') {
    await updatePaymentOrder(tx, { trade_no: order.trade_no, patch: { note: detailOf(transition, statement) } })
    return { kind: 'refused' }
  }
  await updatePaymentOrder(tx, {
    trade_no: order.trade_no,
    patch: {
      status: transition.status,
      refunded: transition.refunded,
      ...(statement.provider_ref === '' ? {} : { provider_ref: statement.provider_ref }),
      ...(outcome === 'credited' ? { paid_at: now } : {}),
      ...(transition.dispute === undefined ? {} : { dispute: transition.dispute }),
      ...(transition.kind === 'changed' && transition.overpaid !== undefined ? { note: overpaidNote(order, transition.overpaid) } : {}),
    },
  })
  if (statement.event.kind === 'disputed') {
    const { state, reason } = statement.event
    await notifyRoots(tx, { notice: 'payment-disputed', values: { trade_no: order.trade_no, state, reason }, now })
  }
  for (const entry of transition.entries) await addEntry(tx, { order, entry, now, formatQuota })
  return { kind: 'booked', user_id: order.user_id, outcome: outcome === 'known' || outcome === 'refused' ? 'noted' : outcome }
}

/** Stripe names its session: another session with our number is not this order's payment. Epay knows its number only after payment. */
function contradicts(order: PaymentOrderRow, { provider_ref }: Statement): boolean {
  return order.provider === 'stripe' && provider_ref !== '' && order.provider_ref !== '' && provider_ref !== order.provider_ref
}

function overpaidNote({ places, currency }: PaymentOrderRow, overpaid: number): string {
  return `overpaid by ${formatMoney(overpaid, places)} ${currency.toUpperCase()}, which is not credited`
}

type Outcome = 'credited' | 'refunded' | 'closed' | 'noted' | 'known' | 'refused'
type Judged = Transition | { readonly kind: 'refused'; readonly reason: 'payment' }

function outcomeOf(transition: Judged): Outcome {
  if (transition.kind !== 'changed') return transition.kind
  const [first] = transition.entries
  if (first !== undefined) return first.kind === 'top-up' ? 'credited' : 'refunded'
  return transition.status === 'failed' || transition.status === 'expired' ? 'closed' : 'noted'
}

function detailOf(transition: Judged, { event }: Statement): string {
  if (transition.kind !== 'refused') return ''
  return `${transition.reason}: ${JSON.stringify(event)}`.slice(0, 300)
}

type Entry = { readonly order: PaymentOrderRow; readonly entry: PaymentEntry } & Pick<StatementInput, 'now' | 'formatQuota'>

async function addEntry(tx: Tx, { order, entry, now, formatQuota }: Entry): Promise<void> {
  const { user_id, money, places, currency } = order
  const note = `${formatMoney(entry.money, places)} ${currency.toUpperCase()}`
  await creditWallet(tx, { user_id, kind: entry.kind, amount: entry.amount, reference: entry.reference, actor: 0, note, now })
  const user = await tx.selectFrom('users').select('username').where('id', '=', user_id).executeTakeFirst()
  const quota = formatQuota(Math.abs(entry.amount))
  const content =
    entry.kind === 'top-up'
      ? `使用在线充值成功，充值金额: ${quota}，支付金额：${formatMoney(money * 10 ** (6 - places), 6)}`
      : `在线充值退款，扣除额度: ${quota}，订单号：${order.trade_no}`
  const type = entry.kind === 'top-up' ? LogType.topUp : LogType.system
  if (entry.kind === 'top-up') {
    const { trade_no, provider } = order
    const paid = formatMoney(money, places)
    await queueEvent(tx, { type: 'wallet.topped_up', data: { user_id, quota: entry.amount, trade_no, provider, paid, currency }, now })
  }
  await appendAccountLog(tx, { type, user_id, username: user?.username ?? '', content, now })
}
