import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  EPAY,
  signed,
  startPaymentVendors,
  STRIPE,
  stripeEvent,
  stripeSignature,
  type PaymentVendors,
} from '@tollgate/testing/payment-vendors'
import { addLogRows } from '@tollgate/testing/log-rows'
import { must, signIn } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

type Order = { readonly trade_no: string; readonly provider: string; readonly status: string }

describe('money in the console', () => {
  let app: ConsoleUnderTest
  let vendors: PaymentVendors
  let page: Page
  beforeAll(async () => {
    vendors = await startPaymentVendors()
    app = await startConsole({ controlPlaneEnv: { TRUSTED_PROXIES: '127.0.0.0/8' } })
    const options = {
      ServerAddress: app.origin,
      PayAddress: `${vendors.url}/epay/`,
      EpayId: EPAY.id,
      EpayKey: EPAY.key,
      StripeApiSecret: STRIPE.secret,
      StripeWebhookSecret: STRIPE.webhook,
      StripeApiAddress: vendors.url,
    }
    for (const [key, value] of Object.entries(options)) must(await app.api.put('/api/option/', { key, value }))
    page = await app.openSignedIn()
    await page.route('https://checkout.stripe.example/**', (route) => route.fulfill({ body: 'Stripe checkout' }))
  })
  afterAll(async () => {
    await app.stop()
    await vendors.close()
  })

  const lastOrder = async (): Promise<Order> => {
    const [order] = must(await app.api.get<{ items: Order[] }>('/api/user/topup/orders')).items
    if (order === undefined) throw new Error('there is no order')
    return order
  }
  const buy = async (method: string): Promise<Order> => {
    await page.goto(`${app.origin}/topup`)
    await page.getByRole('button', { name: method }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.waitForURL((url) => url.origin !== app.origin)
    return await lastOrder()
  }
  const statementRow = (text: string) => page.getByRole('row').filter({ hasText: text })

  it('is bought by epay: the form reaches the provider, and the payer returns to a credited balance', async () => {
    const { trade_no } = await buy('Alipay')
    expect(page.url()).toBe(`${vendors.url}/epay/submit.php`)
    const fields = {
      pid: EPAY.id,
      trade_no: 'E1',
      out_trade_no: trade_no,
      type: 'alipay',
      name: 'TUC10',
      money: '73.00',
      trade_status: 'TRADE_SUCCESS',
    }
    const notified = await fetch(`${app.origin}/api/user/epay/notify?${new URLSearchParams(signed(fields)).toString()}`)
    expect(await notified.text()).toBe('success')

    await page.goto(`${app.origin}/topup?order=${trade_no}`)
    await page.getByText('Paid', { exact: true }).waitFor()
    await statementRow(`order:${trade_no}`).filter({ hasText: '+$10.00' }).waitFor()
  })

  it('is bought by Stripe: the checkout page opens, and the webhook credits', async () => {
    const { trade_no } = await buy('Card (Stripe)')
    const session = [...vendors.sessions.values()].find(({ client_reference_id }) => client_reference_id === trade_no)
    const body = stripeEvent('checkout.session.completed', {
      ...session,
      object: 'checkout.session',
      payment_status: 'paid',
      status: 'complete',
    })
    const headers = { 'stripe-signature': stripeSignature(body), 'content-type': 'application/json' }
    expect((await fetch(`${app.origin}/api/stripe/webhook`, { method: 'POST', headers, body })).status).toBe(200)

    await page.goto(`${app.origin}/topup?order=${trade_no}`)
    await statementRow(`order:${trade_no}`).filter({ hasText: '+$10.00' }).waitFor()
  })

  it('is redeemed from a code, and the statement shows its reference', async () => {
    const [code = ''] = must(await app.api.post<string[]>('/api/redemption/', { name: 'spring', quota: 2_500_000, count: 1 }))
    await page.goto(`${app.origin}/topup`)
    await page.getByRole('textbox', { name: 'Code' }).fill(code)
    await page.getByRole('button', { name: 'Redeem', exact: true }).click()

    await statementRow('Redemption code · spring').filter({ hasText: '+$5.00' }).waitFor()
    expect(app.pageErrors).toEqual([])
  })

  it('is spent by a request, which is a point of the dashboard that leads to the log', async () => {
    await addLogRows(app.stack.database.db, [
      {
        type: 2,
        user_id: app.api.userId,
        username: 'root',
        model_name: 'gpt-4o',
        token_name: 'ci',
        quota: 1_500_000,
        created_at: Math.floor(Date.now() / 1000) - 5,
      },
    ])
    await page.goto(`${app.origin}/detail?range=today&by=model`)
    const row = page.getByRole('row').filter({ hasText: 'gpt-4o' })
    await row.filter({ hasText: '$3.00' }).waitFor()
    await row.first().click()

    await page.waitForURL((url) => url.pathname === '/log' && url.searchParams.get('model_name') === 'gpt-4o')
    await page.getByRole('row').filter({ hasText: 'gpt-4o' }).first().waitFor()

    await page.goto(`${app.origin}/detail?range=today&by=model`)
    await row.first().waitFor()
    const plot = page.locator('svg.recharts-surface').first()
    // A click opens the point whose values are shown; a pointer that comes before the chart listens shows none.
    const values = page.locator('.recharts-tooltip-wrapper').first()
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0)
        await plot.hover()
        return await values.isVisible()
      })
      .toBe(true)
    await plot.click()
    await page.waitForURL((url) => url.pathname === '/log' && url.searchParams.has('start'))
    expect(app.pageErrors).toEqual([])
  })

  it('is redeemed once when five hundred tries reach two control planes at the same time', async () => {
    const second = await app.stack.startControlPlane()
    const origins = [app.stack.controlPlane.url, second.url]
    const [code = ''] = must(await app.api.post<string[]>('/api/redemption/', { name: 'race', quota: 1000, count: 1 }))
    const users = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const credentials = { username: `racer-${index}`, password: 'a-long-password' }
        must(await app.api.post('/api/user/', credentials))
        return credentials
      }),
    )
    const sessions = await Promise.all(
      users.map((user, index) => signIn(origins[index % 2] ?? '', user.username, user.password, { 'x-forwarded-for': `192.0.${index}.1` })),
    )

    const answers = await Promise.all(
      sessions.flatMap((session) => Array.from({ length: 10 }, () => session.post<number>('/api/user/topup', { key: code }))),
    )

    expect(answers).toHaveLength(500)
    expect(answers.filter(({ success }) => success).map(({ data }) => data)).toEqual([1000])
    const { db } = app.stack.database
    const entries = await db
      .selectFrom('wallet_entries')
      .select('amount')
      .where('kind', '=', 'redemption')
      .where('note', '=', 'race')
      .execute()
    expect(entries).toEqual([{ amount: 1000 }])
  })
})
