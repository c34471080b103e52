import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { Outbound } from '@tollgate/outbound/outbound'
import { createEpay } from './epay/epay.ts'
import type { PaymentProvider } from './provider.ts'
import { createStripe } from './stripe/stripe.ts'

/** The providers that the operator has set up. A new one is a folder and a line here. */
export function createProviders(settings: OptionValues, outbound: Pick<Outbound, 'dispatch'>): PaymentProvider[] {
  return [createEpay(settings, outbound), createStripe(settings, outbound)].filter((provider) => provider !== undefined)
}
