import { unsealOption } from '@tollgate/config/sealing'
import { createOptionReader } from '@tollgate/db/option-reader'
import { listDueOrders, updatePaymentOrder, type PaymentOrderRow } from '@tollgate/db/queries/wallet/payments'
import { formatQuota } from '@tollgate/domain/pricing/format'
import type { Handler } from '@tollgate/jobs/jobs'
import { applyStatement } from '@tollgate/payments/apply-statement'
import type { PaymentProvider, Statement } from '@tollgate/payments/provider'
import { createProviders, PAYMENT_OPTIONS } from '@tollgate/payments/providers'
import type { Deps } from '../deps.ts'

const AT_ONCE = 20
const FIRST_WAIT_SECONDS = 90
const MAX_WAIT_SECONDS = 3600
/** Then an order that its provider does not report as paid is closed; a payment that still arrives is credited. */
const OPEN_SECONDS = 2 * 24 * 3600

type ReconcileDeps = Pick<Deps, 'db' | 'secrets' | 'outbound' | 'now'> & { readonly log: Pick<Deps['log'], 'info' | 'warn'> }
type Result = 'paid' | 'closed' | 'failed' | 'open'

/** Safe to run twice: statements are applied exactly once, and the control plane syncs the wallet from the outbox. */
export const reconcilePayments =
  (deps: ReconcileDeps): Handler<'reconcile-payments'> =>
  async (_, { signal }) => {
    const now = Math.floor(deps.now() / 1000)
    const due = await listDueOrders(deps.db, { now, limit: AT_ONCE })
    const counts = { checked: due.length, paid: 0, closed: 0, failed: 0 }
    if (due.length === 0) return counts
    const options = await createOptionReader(deps.db, unsealOption(deps.secrets)).pick([
      ...PAYMENT_OPTIONS,
      'DisplayInCurrencyEnabled',
      'QuotaPerUnit',
    ])
    const providers = createProviders(options, deps.outbound)
    const unit = { display_in_currency: options.DisplayInCurrencyEnabled, quota_per_unit: options.QuotaPerUnit }
    const apply = async (order: PaymentOrderRow, statement: Statement): Promise<void> => {
      await applyStatement(deps.db, { provider: order.provider, statement, now, formatQuota: (quota) => formatQuota(quota, unit) })
    }
    for (const order of due) {
      if (signal.aborted) return counts
      const provider = providers.find(({ id }) => id === order.provider)
      const result = await askAbout(deps, { order, provider, apply, now })
      if (result !== 'open') counts[result] += 1
    }
    return counts
  }

type Question = {
  readonly order: PaymentOrderRow
  readonly provider: PaymentProvider | undefined
  readonly apply: (order: PaymentOrderRow, statement: Statement) => Promise<void>
  readonly now: number
}

async function askAbout(deps: ReconcileDeps, { order, provider, apply, now }: Question): Promise<Result> {
  const { trade_no, checks } = order
  const check_at = now + Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(checks, 10), MAX_WAIT_SECONDS)
  await updatePaymentOrder(deps.db, { trade_no, patch: { check_at, checks: checks + 1 } })
  try {
    const report = await provider?.find(order)
    if (report?.kind === 'statements') {
      for (const statement of report.statements) await apply(order, statement)
      const isPaid = report.statements.some(({ event }) => event.kind === 'paid')
      if (isPaid) deps.log.info({ provider: order.provider, trade_no }, 'Payment found by asking the provider')
      return isPaid ? 'paid' : 'closed'
    }
    if (now - order.created_at < OPEN_SECONDS) return 'open'
    await apply(order, { trade_no, event_id: `closed:${trade_no}`, provider_ref: '', event: { kind: 'expired' } })
    return 'closed'
  } catch (err) {
    deps.log.warn({ err, provider: order.provider, trade_no }, 'Payment provider could not be asked')
    return 'failed'
  }
}
