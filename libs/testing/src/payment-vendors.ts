import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Account and keys of the scripted providers. */
export const EPAY = { id: '1001', key: 'merchant-key-of-the-tests' } as const
export const STRIPE = { secret: 'sk_test_of_the_tests', webhook: 'whsec_of_the_tests' } as const

export type Fields = Readonly<Record<string, string>>

/** The epay signature, written a second time: without sign, sign_type and blanks, sorted, joined, key appended, MD5. */
export function epaySign(fields: Fields, key: string = EPAY.key): string {
  const names = Object.keys(fields).filter((name) => !['sign', 'sign_type'].includes(name) && fields[name] !== '')
  const text = names
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return createHash('md5').update(`${text}${key}`).digest('hex')
}

export const signed = (fields: Fields, key?: string): Fields => ({ ...fields, sign_type: 'MD5', sign: epaySign(fields, key) })

/** The `Stripe-Signature` header, https://docs.stripe.com/webhooks#verify-manually. */
export function stripeSignature(body: string, { secret = STRIPE.webhook as string, at = Math.floor(Date.now() / 1000) } = {}): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

export const stripeEvent = (type: string, object: object, more: object = {}): string =>
  JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    type,
    data: { object },
    ...more,
  })

export type Session = {
  id: string
  client_reference_id: string
  amount_total: number
  currency: string
  payment_status: string
  status: string
  payment_intent?: object
}

export type PaymentVendors = {
  readonly url: string
  readonly sessions: Map<string, Session>
  /** Order numbers by the charges that pay them. */
  readonly charges: Map<string, string>
  /** Orders that `api.php` reports, by order number. */
  readonly epayOrders: Map<string, Fields>
  /** Answers every call with this status until it is undefined. */
  failWith: number | undefined
  close(): Promise<void>
}

/** One server that speaks the parts of both protocols that the gateway calls. */
export async function startPaymentVendors(): Promise<PaymentVendors> {
  const sessions = new Map<string, Session>()
  const charges = new Map<string, string>()
  const epayOrders = new Map<string, Fields>()
  /** Answers by idempotency key: https://docs.stripe.com/api/idempotent_requests */
  const created = new Map<string, object>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://vendor')
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (vendors.failWith !== undefined) return answer(vendors.failWith, { error: { message: 'scripted' } })
      if (url.pathname === '/epay/api.php') return answer(200, answerOrder(url.searchParams))
      if (request.headers.authorization !== `Bearer ${STRIPE.secret}`) return answer(401, { error: { message: 'Invalid API Key' } })
      const [, id] = /^\/v1\/checkout\/sessions\/(.+)$/.exec(url.pathname) ?? []
      if (id !== undefined) return answerSession(id)
      const [, charge] = /^\/v1\/charges\/(.+)$/.exec(url.pathname) ?? []
      if (charge !== undefined) return answer(200, { id: charge, object: 'charge', metadata: { trade_no: charges.get(charge) } })
      const key = String(request.headers['idempotency-key'])
      const session = created.get(key) ?? create(new URLSearchParams(Buffer.concat(chunks).toString()))
      created.set(key, session)
      return answer(200, session)
    })
    const answerOrder = (query: URLSearchParams): object => {
      const order = epayOrders.get(query.get('out_trade_no') ?? '')
      const isKnown = query.get('pid') === EPAY.id && query.get('key') === EPAY.key && order !== undefined
      return isKnown ? { code: 1, msg: 'ok', pid: EPAY.id, ...order } : { code: -1, msg: 'no such order' }
    }
    const answerSession = (id: string): void => {
      const session = sessions.get(id)
      answer(session === undefined ? 404 : 200, session ?? { error: { message: 'No such checkout.session' } })
    }
    const create = (form: URLSearchParams): object => {
      const id = `cs_test_${randomBytes(8).toString('hex')}`
      const session = {
        id,
        object: 'checkout.session',
        client_reference_id: form.get('client_reference_id') ?? '',
        amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
        currency: form.get('line_items[0][price_data][currency]') ?? '',
        payment_status: 'unpaid',
        status: 'open',
        metadata: { trade_no: form.get('metadata[trade_no]') },
        url: `https://checkout.stripe.example/c/pay/${id}`,
      }
      sessions.set(id, session)
      return session
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // a TCP server that listens
  const vendors: PaymentVendors = {
    url: `http://127.0.0.1:${port}`,
    sessions,
    charges,
    epayOrders,
    failWith: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
  return vendors
}
