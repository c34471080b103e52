import { ownValue } from '@tollgate/contracts/values/own-value'
import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import type { PaymentInfo } from '@tollgate/contracts/resources/payments'
import type { PayAnswer } from '@tollgate/contracts/resources/wallet'
import { countUnpaidOrders, createPaymentOrder, updatePaymentOrder } from '@tollgate/db/queries/wallet/payments'
import { formatMoney, priceTopUp, type TopUp } from '@tollgate/domain/payments/price'
import type { Actor } from '@tollgate/http/actor'
import type { PaymentProvider } from '@tollgate/payments/provider'
import { nowSeconds, type Deps } from '../../deps.ts'
import { readPaymentSettings, returnUrlsOf, type PaymentSettings } from './settings.ts'

/** A user may have this many unpaid orders of the last ten minutes. */
const MAX_UNPAID = 20
const UNPAID_SECONDS = 600
/** The provider is asked about a pending order for the first time after this. */
const FIRST_CHECK_SECONDS = 90
/** One cent in a currency with cents. */
const LEAST_MONEY = 1

export type Asked = { readonly amount?: number | string | null | undefined; readonly payment_method: string }

/** Price of an amount, as decimal text. */
export async function priceOf(deps: Deps, actor: Actor, asked: Asked): Promise<string> {
  const settings = await readPaymentSettings(deps)
  const provider = choose(settings, asked.payment_method)?.provider
  const { money } = price(settings, provider, { actor, amount: asked.amount })
  // Kept from existing servers, whose consoles show a price of exactly one cent as too low.
  if (money <= LEAST_MONEY) throw new AppError('pay.low')
  return formatMoney(money, provider?.places ?? 2)
}

export async function startPayment(deps: Deps, actor: Actor, asked: Asked): Promise<PayAnswer> {
  const settings = await readPaymentSettings(deps)
  const chosen = choose(settings, asked.payment_method)
  const { quota, money } = price(settings, chosen?.provider, { actor, amount: asked.amount })
  if (money < LEAST_MONEY) throw new AppError('pay.low')
  if (chosen === undefined) throw new AppError('pay.not-set-up')
  const { provider, method } = chosen
  const now = nowSeconds(deps)
  const unpaid = await countUnpaidOrders(deps.db, { user_id: actor.id, after: now - UNPAID_SECONDS })
  if (unpaid >= MAX_UNPAID) throw new AppError('pay.too-many')
  const order = {
    trade_no: `T${now.toString(36)}${randomBytes(12).toString('hex')}`,
    user_id: actor.id,
    provider: provider.id,
    method,
    amount: Number(asked.amount),
    quota,
    currency: provider.currency,
    places: provider.places,
    money,
    created_at: now,
    check_at: now + FIRST_CHECK_SECONDS,
  }
  try {
    await createPaymentOrder(deps.db, order)
  } catch (cause) {
    throw new AppError('pay.order', {}, { cause })
  }
  return await open(deps, { settings, provider, order })
}

type Opened = {
  readonly settings: PaymentSettings
  readonly provider: PaymentProvider
  readonly order: { readonly trade_no: string; readonly method: string; readonly amount: number; readonly money: number }
}

async function open(deps: Deps, { settings, provider, order }: Opened): Promise<PayAnswer> {
  const { trade_no } = order
  try {
    const checkout = await provider.start(order, returnUrlsOf(deps, settings.values, trade_no))
    if (checkout.provider_ref !== '') await updatePaymentOrder(deps.db, { trade_no, patch: { provider_ref: checkout.provider_ref } })
    return { success: true, message: 'success', data: { ...checkout.fields }, url: checkout.url }
  } catch (cause) {
    // A provider that made the payment although its answer was lost is found by the reconciliation.
    deps.log.warn({ err: cause, provider: provider.id, trade_no }, 'Payment could not be started')
    throw new AppError('pay.start', {}, { cause })
  }
}

export async function getPaymentInfo(deps: Deps, actor: Actor): Promise<PaymentInfo> {
  const { values, providers } = await readPaymentSettings(deps)
  const ratio = ownValue(values.TopupGroupRatio, actor.group) ?? 1
  const unit = values.DisplayInCurrencyEnabled ? 1 : values.QuotaPerUnit
  return {
    methods: providers.flatMap(({ id, methods, currency, unit_price, min_amount }) =>
      methods.map((method) => ({ method, provider: id, currency, unit_price, min_amount: min_amount * unit })),
    ),
    amounts: values['payment_setting.amount_options'].map((amount) => amount * unit),
    discounts: values.DisplayInCurrencyEnabled ? values['payment_setting.amount_discount'] : {},
    group_ratio: ratio === 0 ? 1 : ratio,
  }
}

type Chosen = { readonly provider: PaymentProvider; readonly method: string }

/**
 * The provider and its method by the name that the caller gave. Existing consoles name no method when they ask for a price; the first one
 * is theirs. Undefined when nothing is set up.
 */
function choose({ providers }: PaymentSettings, name: string): Chosen | undefined {
  const offered = providers.flatMap((provider) => provider.methods.map((method) => ({ provider, method })))
  if (offered.length === 0) return undefined
  const found = name === '' ? offered[0] : offered.find(({ provider, method }) => method === methodOf(provider, name))
  if (found === undefined) throw new AppError('pay.method', { methods: offered.map(({ method }) => method).join(', ') })
  return found
}

const methodOf = ({ aliases }: PaymentProvider, name: string): string => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name)

type Priced = { readonly actor: Actor; readonly amount: number | string | null | undefined }

/** Without a provider the price of epay's settings is shown, as existing servers do. */
function price({ values }: PaymentSettings, provider: PaymentProvider | undefined, { actor, amount }: Priced): TopUp {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) throw new AppError('pay.params')
  const isCurrency = values.DisplayInCurrencyEnabled
  const least = (provider?.min_amount ?? values.MinTopUp) * (isCurrency ? 1 : values.QuotaPerUnit)
  if (amount < least || amount < 1) throw new AppError('pay.least', { least: Math.max(1, least) })
  const priced = priceTopUp(
    {
      quota_per_unit: values.QuotaPerUnit,
      is_currency: isCurrency,
      unit_price: provider?.unit_price ?? values.Price,
      group_ratios: values.TopupGroupRatio,
      discounts: values['payment_setting.amount_discount'],
      places: provider?.places ?? 2,
    },
    { amount, group: actor.group },
  )
  if (priced === undefined || priced.quota < 1) throw new AppError(priced === undefined ? 'pay.most' : 'pay.low')
  return priced
}
