import type { PaymentProviderId } from '@tollgate/contracts/enums'
import type { PaymentOrderRow } from '@tollgate/db/queries/wallet/payments'
import type { PaymentEvent } from '@tollgate/domain/payments/order'

/** Next step of the payer's browser: a form that is posted to `url`, or without fields a page that is opened. */
export type Checkout = {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
  /** The provider's own number of the payment, where it is known now. */
  readonly provider_ref: string
}

/** A notification as it arrived. */
export type Notification = {
  /** Query of a GET, or the fields of a form. */
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
  readonly header: (name: string) => string | undefined
}

/** A statement of the provider about one order, verified to be from it and about our account. */
export type Statement = {
  readonly trade_no: string
  /** Identifies the statement: the same text when it is sent again. */
  readonly event_id: string
  readonly provider_ref: string
  readonly event: PaymentEvent
}

/** `ignored`: genuine, but says nothing about the money of an order. `forged`: not proved to be from the provider. */
export type ReadNotification = { readonly kind: 'statement'; readonly statement: Statement } | { readonly kind: 'ignored' | 'forged' }

/** `unknown`: the provider has no such payment, or could not be understood. */
export type PaymentReport =
  | { readonly kind: 'statements'; readonly statements: readonly Statement[] }
  | { readonly kind: 'unpaid' | 'unknown' }

/** One payment service with the operator's settings. Money is in the currency's smallest unit. */
export type PaymentProvider = {
  readonly id: PaymentProviderId
  readonly methods: readonly string[]
  /** Names that other consoles use for a method. */
  readonly aliases: Readonly<Record<string, string>>
  readonly currency: string
  /** Decimal places of the currency. */
  readonly places: number
  /** Price of one US dollar of quota. */
  readonly unit_price: number
  /** In US dollars. */
  readonly min_amount: number
  /** Prepares the payment; throws when the provider refuses or cannot be reached. */
  start(order: Readonly<Pick<PaymentOrderRow, 'trade_no' | 'method' | 'amount' | 'money'>>, urls: ReturnUrls): Promise<Checkout>
  read(notification: Notification): Promise<ReadNotification>
  /** Asks about an order; throws when the provider cannot be reached. */
  find(order: Readonly<Pick<PaymentOrderRow, 'trade_no' | 'provider_ref'>>): Promise<PaymentReport>
}

export type ReturnUrls = {
  /** Where the provider sends notifications. */
  readonly notify_url: string
  /** Where the payer's browser returns. */
  readonly return_url: string
}
