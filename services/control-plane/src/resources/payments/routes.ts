import { AppError } from '@tollgate/contracts/app-error'
import { payments } from '@tollgate/contracts/resources/payments'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Language } from '@tollgate/http/language'
import { readBytes } from '@tollgate/http/parse'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { receiveNotification } from './notify.ts'
import { checkOrder, completeOrder, listOrders, listStatements } from './orders.ts'
import { getPaymentInfo, priceOf, startPayment } from './start.ts'

/** More than a notification of either provider has. */
const MAX_NOTIFICATION = 256 * 1024

export const paymentRoutes = (deps: Deps): Binding[] => [
  handle(wallet.amount, ({ actor, body, language }) =>
    inData(language, async () => ({ success: true, message: 'success' as const, data: await priceOf(deps, actor, body) })),
  ),
  handle(wallet.pay, ({ actor, body, language }) => inData(language, () => startPayment(deps, actor, body))),
  handle(wallet.notify, ({ c, query }) => answerEpay(deps, c, query)),
  handle(wallet.notifyByPost, async ({ c }) => {
    const form = new URLSearchParams(Buffer.from(await readBytes(c.req.raw, MAX_NOTIFICATION)).toString())
    return await answerEpay(deps, c, { ...c.req.query(), ...Object.fromEntries(form) })
  }),
  handle(payments.stripeWebhook, async ({ c }) => {
    const body = Buffer.from(await readBytes(c.req.raw, MAX_NOTIFICATION)).toString()
    const notified = await receiveNotification(deps, 'stripe', { fields: {}, body, header: (name) => c.req.header(name) })
    // Stripe repeats what is not answered with 2xx; a statement that contradicts its order does not get better by that.
    return notified === 'forged' ? c.text('invalid signature', 400) : c.json({ received: true })
  }),
  handle(payments.info, ({ actor }) => getPaymentInfo(deps, actor)),
  handle(payments.own, ({ actor, query }) => listOrders(deps, query, actor.id)),
  handle(payments.list, ({ query }) => listOrders(deps, query)),
  handle(payments.statements, ({ query }) => listStatements(deps, query.trade_no)),
  handle(payments.check, ({ body }) => checkOrder(deps, body.trade_no)),
  handle(payments.complete, ({ actor, ip, body }) => completeOrder(deps, { actor, ip }, body)),
]

async function answerEpay(deps: Deps, c: Context, fields: Readonly<Record<string, string>>): Promise<Response> {
  const notified = await receiveNotification(deps, 'epay', { fields, body: '', header: () => undefined })
  return c.text(notified === 'accepted' ? 'success' : 'fail')
}

type Failed = { success: false; message: 'error'; data: string }

/** Existing consoles read the text of a failure from `data`. */
async function inData<T>(language: Language, run: () => Promise<T>): Promise<T | Failed> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { success: false, message: 'error', data: error.text(language) }
  }
}
