import type { Quota } from '@tollgate/contracts/units'
import type { PaymentDispute, PaymentStatus } from '@tollgate/contracts/enums'

/** The fields that an order's money depends on. Amounts of money are in the currency's smallest unit. */
export type OrderState = {
  readonly trade_no: string
  readonly status: PaymentStatus
  readonly currency: string
  readonly money: number
  readonly quota: Quota
  /** Sum of all refunds that the provider has reported. */
  readonly refunded: number
  /** Absent or empty: none. */
  readonly dispute?: PaymentDispute | ''
}

/** A verified statement of the provider about one order. */
export type PaymentEvent =
  /** `may_exceed`: payers of this provider can pay more than the order's sum. */
  | { readonly kind: 'paid'; readonly money: number; readonly currency: string; readonly may_exceed?: true }
  /** `total`: sum of all refunds of the payment so far. */
  | { readonly kind: 'refunded'; readonly total: number; readonly currency: string }
  | { readonly kind: 'failed' | 'expired' }
  | { readonly kind: 'disputed'; readonly state: PaymentDispute; readonly reason: string }

export type PaymentEntry = {
  readonly kind: 'top-up' | 'refund'
  readonly amount: Quota
  /** The money that it stands for, in the smallest unit of the order's currency. */
  readonly money: number
  readonly reference: string
}

/** `known`: nothing changes. `refused`: the statement contradicts the order; an operator must look at it. */
export type Transition =
  | {
      readonly kind: 'changed'
      readonly status: PaymentStatus
      readonly refunded: number
      readonly entries: readonly PaymentEntry[]
      readonly dispute?: PaymentDispute
      /** Amount paid beyond the order's sum, which credits nothing: an operator decides about it. */
      readonly overpaid?: number
    }
  | { readonly kind: 'known' }
  | { readonly kind: 'refused'; readonly reason: 'money' | 'currency' }

const KNOWN: Transition = { kind: 'known' }

/**
 * The next state of an order and the wallet entries that belong to it. Statements may arrive late, repeatedly and in any order: the wallet
 * ends with the same sum. Money that arrives after an order has failed or expired is still credited, because the payer has paid it.
 */
export function applyPaymentEvent(order: OrderState, event: PaymentEvent): Transition {
  switch (event.kind) {
    case 'paid':
      return applyPaid(order, event)
    case 'refunded':
      return applyRefunded(order, event)
    case 'disputed':
      return applyDisputed(order, event.state)
    case 'failed':
    case 'expired':
      return order.status === 'pending' ? { kind: 'changed', status: event.kind, refunded: order.refunded, entries: [] } : KNOWN
  }
}

/** A decided dispute stays decided when its beginning arrives late. The balance is the operator's decision. */
function applyDisputed({ status, refunded, dispute = '' }: OrderState, state: PaymentDispute): Transition {
  if (dispute === state || (dispute !== '' && state === 'open')) return KNOWN
  return { kind: 'changed', status, refunded, entries: [], dispute: state }
}

type Amount = { readonly money: number; readonly currency: string; readonly may_exceed?: true }

function applyPaid(order: OrderState, { money, currency, may_exceed }: Amount): Transition {
  if (currency !== order.currency) return { kind: 'refused', reason: 'currency' }
  if (money !== order.money && !(may_exceed === true && money > order.money)) return { kind: 'refused', reason: 'money' }
  if (isCredited(order)) return KNOWN
  const credit: PaymentEntry = { kind: 'top-up', amount: order.quota, money: order.money, reference: `order:${order.trade_no}` }
  return {
    kind: 'changed',
    status: statusOf(order, order.refunded),
    refunded: order.refunded,
    entries: [credit, ...refundEntries(order, 0, order.refunded)],
    ...(money === order.money ? {} : { overpaid: money - order.money }),
  }
}

function applyRefunded(order: OrderState, { total, currency }: { total: number; currency: string }): Transition {
  if (currency !== order.currency) return { kind: 'refused', reason: 'currency' }
  if (!Number.isSafeInteger(total) || total < 0 || total > order.money) return { kind: 'refused', reason: 'money' }
  if (total <= order.refunded) return KNOWN
  // A refund that arrives before its payment is kept until the payment is known.
  if (!isCredited(order)) return { kind: 'changed', status: order.status, refunded: total, entries: [] }
  return { kind: 'changed', status: statusOf(order, total), refunded: total, entries: refundEntries(order, order.refunded, total) }
}

function isCredited({ status }: OrderState): boolean {
  return status === 'paid' || status === 'refunded'
}

const statusOf = ({ money }: OrderState, refunded: number): PaymentStatus => (refunded === money ? 'refunded' : 'paid')

function refundEntries(order: OrderState, before: number, after: number): PaymentEntry[] {
  const amount = refundedQuota(order, after) - refundedQuota(order, before)
  return amount === 0
    ? []
    : [{ kind: 'refund', amount: -amount, money: after - before, reference: `order:${order.trade_no}:refunded:${after}` }]
}

/** The quota that belongs to this much money, rounded down; all of it when everything was refunded. */
function refundedQuota({ quota, money }: OrderState, refunded: number): Quota {
  return money === 0 ? 0 : Number((BigInt(quota) * BigInt(refunded)) / BigInt(money))
}
