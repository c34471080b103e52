import { AppError } from '@tollgate/contracts/app-error'
import type { SpendAlert, SpendAlertChange } from '@tollgate/contracts/resources/spend-alerts'
import { listSpendAlerts, removeSpendAlert, saveSpendAlert, sumSpending } from '@tollgate/db/queries/usage/spend-alerts'
import { findToken } from '@tollgate/db/queries/tokens/tokens'
import { startOfPeriod } from '@tollgate/domain/spend/period'
import type { Actor } from '@tollgate/http/actor'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

const MAX_ALERTS = 50

/** Own alerts; those of deleted tokens are left out. */
export function listOwnAlerts(deps: Deps, { id: user_id }: Actor): Promise<SpendAlert[]> {
  const now = nowSeconds(deps)
  return withReadSnapshot(deps, async (tx) => {
    const alerts: SpendAlert[] = []
    for (const { id, token_id, token_name, period, threshold, notified_at } of await listSpendAlerts(tx, user_id)) {
      const spent = await sumSpending(tx, { user_id, token_id, from: startOfPeriod(period, now) })
      alerts.push({ id, token_id, token_name, period, threshold, spent, notified_at, told_at: notified_at })
    }
    return alerts
  })
}

export async function saveOwnAlert(
  deps: Deps,
  { id: user_id }: Actor,
  { token_id, period, threshold }: SpendAlertChange,
): Promise<undefined> {
  if (threshold <= 0) throw new AppError('self.threshold')
  await deps.db.transaction().execute(async (tx) => {
    if (token_id > 0 && (await findToken(tx, { id: token_id, user_id })) === undefined) throw new AppError('record.missing')
    const known = await listSpendAlerts(tx, user_id)
    const isNew = !known.some((one) => one.token_id === token_id && one.period === period)
    if (isNew && known.length >= MAX_ALERTS) throw new AppError('alerts.full', { max: MAX_ALERTS })
    await saveSpendAlert(tx, { user_id, token_id, period, threshold })
  })
}

export async function removeOwnAlert(deps: Deps, { id: user_id }: Actor, id: number): Promise<undefined> {
  if (!(await removeSpendAlert(deps.db, { id, user_id }))) throw new AppError('record.missing')
}
