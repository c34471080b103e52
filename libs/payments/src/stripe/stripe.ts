import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { PaymentEvent } from '@tollgate/domain/payments/order'
import type { Outbound } from '@tollgate/outbound/outbound'
import type Stripe from 'stripe'
import type { PaymentProvider, PaymentReport, ReadNotification, Statement } from '../provider.ts'
import { placesOf, THREE_PLACES } from './currency.ts'
import { outboundFetch } from './outbound-fetch.ts'

const TIMEOUT_MS = 15_000
/** Seconds that a signature stays valid; Stripe's own default. */
const TOLERANCE = 300

type Settings = Pick<
  OptionValues,
  'StripeApiSecret' | 'StripeWebhookSecret' | 'StripeCurrency' | 'StripeUnitPrice' | 'StripeMinTopUp' | 'StripeApiAddress' | 'SystemName'
>

/** Stripe Checkout, https://docs.stripe.com/payments/checkout. Undefined unless both secrets are set. */
export function createStripe(settings: Settings, outbound: Pick<Outbound, 'dispatch'>): PaymentProvider | undefined {
  const { StripeCurrency: currency, StripeWebhookSecret: webhookSecret } = settings
  if (settings.StripeApiSecret === '' || webhookSecret === '' || THREE_PLACES.has(currency)) return undefined
  return {
    id: 'stripe',
    methods: ['stripe'],
    aliases: {},
    currency,
    places: placesOf(currency),
    unit_price: settings.StripeUnitPrice,
    min_amount: settings.StripeMinTopUp,
    start: async ({ trade_no, amount, money }, { return_url }) => {
      const client = await connect(settings, outbound)
      const metadata = { trade_no }
      const name = `${settings.SystemName} ${amount}`
      const session = await client.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: trade_no,
          metadata,
          // A charge copies the metadata of its payment intent: refunds name the order.
          payment_intent_data: { metadata },
          line_items: [{ quantity: 1, price_data: { currency, unit_amount: money, product_data: { name } } }],
          success_url: return_url,
          cancel_url: return_url,
        },
        { idempotencyKey: trade_no },
      )
      if (session.url === null) throw new Error('Stripe answered a session without an address')
      return { url: session.url, fields: {}, provider_ref: session.id }
    },
    read: async ({ body, header }) => {
      const client = await connect(settings, outbound)
      const event = verify(client, { body, signature: header('stripe-signature') ?? '', secret: webhookSecret })
      return event === undefined ? { kind: 'forged' } : await readEvent(client, event)
    },
    find: async ({ trade_no, provider_ref }) => {
      if (provider_ref === '') return { kind: 'unknown' }
      const client = await connect(settings, outbound)
      const session = await client.checkout.sessions.retrieve(provider_ref, { expand: ['payment_intent.latest_charge'] })
      return reportOf(session, trade_no)
    },
  }
}

/** The SDK is large and loads on first use. */
async function connect({ StripeApiSecret, StripeApiAddress }: Settings, outbound: Pick<Outbound, 'dispatch'>): Promise<Stripe> {
  const { default: Sdk } = await import('stripe')
  const address = new URL(StripeApiAddress)
  const isPlain = address.protocol === 'http:'
  return new Sdk(StripeApiSecret, {
    host: address.hostname,
    port: address.port === '' ? (isPlain ? 80 : 443) : address.port,
    protocol: isPlain ? 'http' : 'https',
    httpClient: Sdk.createFetchHttpClient(outboundFetch(outbound, TIMEOUT_MS)),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

function verify(
  client: Stripe,
  { body, signature, secret }: { body: string; signature: string; secret: string },
): Stripe.Event | undefined {
  try {
    return client.webhooks.constructEvent(body, signature, secret, TOLERANCE)
  } catch {
    return undefined
  }
}

/** Events of connected accounts name them; ours do not. */
async function readEvent(client: Stripe, event: Stripe.Event): Promise<ReadNotification> {
  if (event.account !== undefined && event.account !== null) return { kind: 'ignored' }
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return event.data.object.payment_status === 'paid' ? statementOf(event.id, event.data.object, paidBy(event.data.object)) : IGNORED
    case 'checkout.session.async_payment_failed':
      return statementOf(event.id, event.data.object, { kind: 'failed' })
    case 'checkout.session.expired':
      return statementOf(event.id, event.data.object, { kind: 'expired' })
    case 'charge.refunded': {
      const { metadata, amount_refunded: total, currency } = event.data.object
      return toNotification({
        trade_no: metadata['trade_no'] ?? '',
        event_id: event.id,
        provider_ref: '',
        event: { kind: 'refunded', total, currency },
      })
    }
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return disputeOf(client, event.id, event.data.object)
    default:
      return IGNORED
  }
}

/** A dispute names its charge only; the charge names the order. */
async function disputeOf(client: Stripe, event_id: string, { charge, status, reason }: Stripe.Dispute): Promise<ReadNotification> {
  const { metadata } = typeof charge === 'string' ? await client.charges.retrieve(charge) : charge
  const state = status === 'lost' ? 'lost' : status === 'won' || status === 'warning_closed' ? 'won' : 'open'
  return toNotification({
    trade_no: metadata['trade_no'] ?? '',
    event_id,
    provider_ref: '',
    event: { kind: 'disputed', state, reason },
  })
}

const IGNORED: ReadNotification = { kind: 'ignored' }

/** An amount that is missing is -1, which no order has. */
function paidBy({ amount_total, currency }: Stripe.Checkout.Session): PaymentEvent {
  return { kind: 'paid', money: amount_total ?? -1, currency: currency ?? '' }
}

function statementOf(event_id: string, session: Stripe.Checkout.Session, event: PaymentEvent): ReadNotification {
  return toNotification({ trade_no: session.client_reference_id ?? '', event_id, provider_ref: session.id, event })
}

const toNotification = (statement: Statement): ReadNotification => (statement.trade_no === '' ? IGNORED : { kind: 'statement', statement })

function reportOf(session: Stripe.Checkout.Session, trade_no: string): PaymentReport {
  if (session.client_reference_id !== trade_no) return { kind: 'unknown' }
  const toStatement = (kind: string, event: PaymentEvent): Statement => ({
    trade_no,
    event_id: `asked:${session.id}:${kind}`,
    provider_ref: session.id,
    event,
  })
  if (session.payment_status === 'paid') {
    const refunded = refundedOf(session)
    const paid = toStatement('paid', paidBy(session))
    if (refunded === undefined) return { kind: 'statements', statements: [paid] }
    return { kind: 'statements', statements: [paid, toStatement(`refunded:${refunded.total}`, { kind: 'refunded', ...refunded })] }
  }
  return session.status === 'expired'
    ? { kind: 'statements', statements: [toStatement('expired', { kind: 'expired' })] }
    : { kind: 'unpaid' }
}

function refundedOf({ payment_intent }: Stripe.Checkout.Session): { total: number; currency: string } | undefined {
  const charge = typeof payment_intent === 'object' && payment_intent !== null ? payment_intent.latest_charge : undefined
  if (typeof charge !== 'object' || charge === null || charge.amount_refunded === 0) return undefined
  return { total: charge.amount_refunded, currency: charge.currency }
}
