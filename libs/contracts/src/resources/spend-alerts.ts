import { z } from 'zod'
import { IdParams } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { Amount, Quota, UnixSeconds } from '../units.ts'

/** Periods begin at midnight UTC; weeks on Monday. */
export const SPEND_PERIODS = ['day', 'week', 'month'] as const
export type SpendPeriod = (typeof SPEND_PERIODS)[number]

export const SpendAlert = z.object({
  id: z.int(),
  /** 0: everything that the account spends. */
  token_id: z.int(),
  token_name: z.string(),
  period: z.enum(SPEND_PERIODS),
  threshold: Quota,
  /** In the running period. */
  spent: Quota,
  /** Time of the last notice; 0: never. */
  notified_at: UnixSeconds,
  /** Deprecated: the value of `notified_at` under its name in 1.0.0-rc.1 (ADR 105). */
  told_at: UnixSeconds,
})
export type SpendAlert = z.infer<typeof SpendAlert>

export const SpendAlertChange = z.object({ token_id: z.int().min(0).default(0), period: z.enum(SPEND_PERIODS), threshold: Amount })
export type SpendAlertChange = z.infer<typeof SpendAlertChange>

export const spendAlerts = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/wallet/alerts',
    access: 'user',
    right: 'wallet.read',
    summary: 'Own spend alerts with what was spent in the running period (ours)',
    data: z.array(SpendAlert),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/user/wallet/alerts',
    access: 'user',
    right: 'wallet.write',
    summary: 'Sets the threshold of the account or of an own token for a period (ours)',
    body: SpendAlertChange,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/wallet/alerts/{id}',
    access: 'user',
    right: 'wallet.write',
    summary: 'Deletes an own spend alert (ours)',
    params: IdParams,
  }),
}
