import type { PostedRequest } from './posted-request.ts'
import type { Quota, UnixSeconds } from '../units.ts'

/** Events that operators' webhook endpoints can get. Names and data are an interface: receivers read them. */
export const WEBHOOK_EVENTS = ['request.posted', 'budget.reached', 'channel.disabled', 'wallet.topped_up', 'invoice.differs'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The `data` of each event. */
export type WebhookEventData = {
  /** At most 100 requests, so that a busy installation makes few calls. */
  'request.posted': { readonly requests: readonly PostedRequest[] }
  'budget.reached': {
    readonly budget_id: number
    readonly scope: string
    readonly owner: string
    readonly user_id: number
    readonly window: string
    readonly window_start: UnixSeconds
    /** The greatest share that is spent, of those that the budget tells of. */
    readonly percent: number
    readonly amount_quota: Quota
    readonly spent_quota: Quota
    readonly action: string
  }
  'channel.disabled': { readonly channel_id: number; readonly name: string; readonly reason: string }
  'wallet.topped_up': {
    readonly user_id: number
    readonly quota: Quota
    readonly trade_no: string
    readonly provider: string
    /** The sum that was paid, as a decimal. */
    readonly paid: string
    readonly currency: string
  }
  'invoice.differs': {
    readonly invoice_id: number
    readonly name: string
    readonly vendor: string
    readonly first_day: string
    readonly last_day: string
    /** Lines of the comparison, and those that differ. */
    readonly lines: number
    readonly differing: number
  }
  test: { readonly message: string }
}

export type WebhookEventName = keyof WebhookEventData
