import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { PaymentProvider } from '@tollgate/payments/provider'
import { createProviders } from '@tollgate/payments/providers'
import { formatQuota } from '@tollgate/domain/pricing/format'
import type { Deps } from '../../deps.ts'

/** The operator's payment settings, read once per call. */
export type PaymentSettings = {
  readonly values: OptionValues
  readonly providers: readonly PaymentProvider[]
  readonly formatQuota: (quota: number) => string
}

export async function readPaymentSettings(deps: Pick<Deps, 'options' | 'outbound'>): Promise<PaymentSettings> {
  const values = await deps.options.all()
  const unit = { display_in_currency: values.DisplayInCurrencyEnabled, quota_per_unit: values.QuotaPerUnit }
  return { values, providers: createProviders(values, deps.outbound), formatQuota: (quota) => formatQuota(quota, unit) }
}

const NOTIFY_PATH = '/api/user/epay/notify'

/** Addresses for the provider. An operator may have typed the callback address with a slash or with the whole path. */
export function returnUrlsOf(deps: Pick<Deps, 'env'>, { CustomCallbackAddress, ServerAddress }: OptionValues, trade_no: string) {
  const own = withoutSlash(ServerAddress === '' ? deps.env.PUBLIC_URL : ServerAddress)
  const called = CustomCallbackAddress === '' ? own : withoutSlash(CustomCallbackAddress)
  return {
    notify_url: called.endsWith(NOTIFY_PATH) ? called : `${called}${NOTIFY_PATH}`,
    return_url: `${own}/topup?order=${trade_no}`,
  }
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')
