import { AppError } from '@tollgate/contracts/app-error'
import { PAYMENT_STATUSES, type PaymentStatus } from '@tollgate/contracts/enums'
import type { PaymentOrder, PaymentStatement } from '@tollgate/contracts/resources/payments'
import {
  findPaymentOrder,
  listPaymentEvents,
  listPaymentOrders,
  updatePaymentOrder,
  type ShownPaymentOrder,
} from '@tollgate/db/queries/wallet/payments'
import { formatMoney } from '@tollgate/domain/payments/price'
import { recordAudit, type By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'
import { applyAndSync } from './notify.ts'
import { readPaymentSettings } from './settings.ts'

type Query = { readonly p: number; readonly page_size: number; readonly status: string; readonly keyword: string }
type Page = { items: PaymentOrder[]; total: number; page: number; page_size: number }

export async function listOrders(deps: Deps, query: Query, user_id?: number): Promise<Page> {
  const { page, page_size, limit, offset } = pagingOf(query)
  const status = PAYMENT_STATUSES.find((one): one is PaymentStatus => one === query.status)
  const filter = {
    keyword: query.keyword.trim(),
    ...(user_id === undefined ? {} : { user_id }),
    ...(status === undefined ? {} : { status }),
  }
  const { rows, total } = await listPaymentOrders(deps.db, { filter, limit, offset })
  return { items: rows.map(toOrder), total, page, page_size }
}

export async function listStatements(deps: Deps, trade_no: string): Promise<PaymentStatement[]> {
  return (await listPaymentEvents(deps.db, trade_no)).map(({ provider: _provider, trade_no: _trade_no, ...statement }) => statement)
}

/** Asks the provider about an order now. */
export async function checkOrder(deps: Deps, trade_no: string): Promise<PaymentOrder> {
  const settings = await readPaymentSettings(deps)
  const row = await findPaymentOrder(deps.db, trade_no)
  if (row === undefined) throw new AppError('pay.unknown-order')
  const provider = settings.providers.find(({ id }) => id === row.provider)
  if (provider === undefined) throw new AppError('pay.not-set-up')
  const report = await provider.find(row).catch((cause: unknown) => {
    throw new AppError('pay.unreachable', {}, { cause })
  })
  if (report.kind === 'statements') {
    for (const statement of report.statements) await applyAndSync(deps, settings, { provider: provider.id, statement })
  }
  return await getOrder(deps, trade_no)
}

/** Credits an order in root's name, for a payment that reached the operator but that the provider does not confirm. */
export async function completeOrder(deps: Deps, by: By, { trade_no, reason }: { trade_no: string; reason: string }): Promise<PaymentOrder> {
  if (reason.trim() === '') throw new AppError('pay.reason')
  const row = await findPaymentOrder(deps.db, trade_no)
  if (row === undefined) throw new AppError('pay.unknown-order')
  if (row.status === 'paid' || row.status === 'refunded') throw new AppError('pay.settled')
  const settings = await readPaymentSettings(deps)
  // The audit entry is written first: an order is never credited by hand without one.
  await deps.db.transaction().execute(async (tx) => {
    const changes = [
      { field: 'status', before: row.status, after: 'paid' },
      { field: 'reason', after: reason.trim() },
    ]
    await recordAudit(deps, tx, by, [{ action: 'complete', resource: 'payment', resource_id: trade_no, changes }])
    await updatePaymentOrder(tx, { trade_no, patch: { note: reason.trim() } })
  })
  const event = { kind: 'paid' as const, money: row.money, currency: row.currency }
  const statement = { trade_no, event_id: `completed-by:${by.actor.id}:${trade_no}`, provider_ref: '', event }
  await applyAndSync(deps, settings, { provider: row.provider, statement })
  return await getOrder(deps, trade_no)
}

async function getOrder(deps: Deps, trade_no: string): Promise<PaymentOrder> {
  const row = await findPaymentOrder(deps.db, trade_no)
  if (row === undefined) throw new AppError('pay.unknown-order')
  return toOrder(row)
}

function toOrder(row: ShownPaymentOrder): PaymentOrder {
  const { id, trade_no, user_id, provider, method, amount, quota, currency, status, dispute, note, created_at, paid_at, places } = row
  return {
    id,
    trade_no,
    user_id,
    username: row.username ?? '',
    provider,
    method,
    amount,
    quota,
    currency,
    money: formatMoney(row.money, places),
    refunded: formatMoney(row.refunded, places),
    status,
    dispute,
    note,
    created_at,
    paid_at,
  }
}
