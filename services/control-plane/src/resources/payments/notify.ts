import { applyStatement, type Booked } from '@tollgate/payments/apply-statement'
import type { Notification, Statement } from '@tollgate/payments/provider'
import type { PaymentProviderId } from '@tollgate/contracts/enums'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { readPaymentSettings, type PaymentSettings } from './settings.ts'

/** `not-booked`: the provider may send it again. */
export type Notified = 'accepted' | 'forged' | 'not-booked'

/** Verifies a notification and books what it says; answers only after commit. */
export async function receiveNotification(deps: Deps, id: PaymentProviderId, notification: Notification): Promise<Notified> {
  const settings = await readPaymentSettings(deps)
  const provider = settings.providers.find((one) => one.id === id)
  if (provider === undefined) return 'forged'
  const read = await provider.read(notification)
  if (read.kind === 'forged') return 'forged'
  if (read.kind !== 'statement') return 'accepted'
  const booked = await applyAndSync(deps, settings, { provider: id, statement: read.statement })
  return booked.kind === 'booked' || booked.kind === 'known' ? 'accepted' : 'not-booked'
}

/** Books a statement and tells Redis; used by notifications and by questions to the provider. */
export async function applyAndSync(
  deps: Deps,
  { formatQuota }: PaymentSettings,
  { provider, statement }: { provider: PaymentProviderId; statement: Statement },
): Promise<Booked> {
  const booked = await applyStatement(deps.db, { provider, statement, now: nowSeconds(deps), formatQuota })
  const facts = { provider, trade_no: statement.trade_no, event: statement.event.kind }
  if (booked.kind === 'refused') deps.log.warn(facts, 'Payment statement contradicts its order and was not booked')
  if (booked.kind === 'unknown-order') deps.log.warn(facts, 'Payment statement names an unknown order')
  if (booked.kind === 'booked') {
    deps.log.info({ ...facts, outcome: booked.outcome }, 'Payment statement booked')
    await syncChanged(deps, [{ subject: 'user', id: booked.user_id }])
  }
  return booked
}
