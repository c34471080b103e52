import type { OptionKey, OptionValues } from '@tollgate/contracts/options/registry'
import type { Outbound } from '@tollgate/outbound/outbound'
import { createEpay } from './epay/epay.ts'
import type { PaymentProvider } from './provider.ts'
import { createStripe } from './stripe/stripe.ts'

/** The options that the providers read. */
export const PAYMENT_OPTIONS = [
  'PayAddress',
  'EpayId',
  'EpayKey',
  'Price',
  'MinTopUp',
  'StripeApiSecret',
  'StripeWebhookSecret',
  'StripeCurrency',
  'StripeUnitPrice',
  'StripeMinTopUp',
  'StripeApiAddress',
  'SystemName',
] as const satisfies readonly OptionKey[]
export type PaymentOptions = Pick<OptionValues, (typeof PAYMENT_OPTIONS)[number]>

/** The providers that the operator has set up. A new one is a folder and a line here. */
export function createProviders(settings: PaymentOptions, outbound: Pick<Outbound, 'dispatch'>): PaymentProvider[] {
  return [createEpay(settings, outbound), createStripe(settings, outbound)].filter((provider) => provider !== undefined)
}
