import { screen, waitFor, within } from '@testing-library/react'
import { payments, type PaymentOrder } from '@tollgate/contracts/resources/payments'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { beforeEach, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const anOrder: PaymentOrder = {
  id: 1,
  trade_no: 'T1',
  user_id: 2,
  username: 'anna',
  provider: 'stripe',
  method: 'stripe',
  amount: 50,
  quota: 25_000_000,
  currency: 'usd',
  money: '50.00',
  refunded: '0.00',
  status: 'pending',
  dispute: '',
  note: '',
  created_at: 1_700_000_000,
  paid_at: 0,
}

const show = (order: PaymentOrder): void => plane.answer(payments.list, { items: [order], total: 1, page: 1, page_size: 10 })

beforeEach(() => {
  session.start(aStoredUser({ role: 100 }))
  plane.answer(payments.statements, [])
  show(anOrder)
})

it('completes an order by hand with a reason, and asks for a proof where the server wants one', async () => {
  plane.refuse(payments.complete, '请先确认身份', 'proof')
  plane.answer(twoFactor.get, { is_on: false, is_required: false, recovery_codes_left: 0, has_password: true, passkeys: [] })
  plane.answer(sessions.prove, undefined)
  const view = await open('/payment?order=T1')
  await view.user.click(await screen.findByRole('button', { name: '手动补单' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^为 anna 补单/ }))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: '手动补单' }).disabled).toBe(true)
  await view.user.type(dialog.getByLabelText(/原因/), '银行转账')
  await view.user.click(dialog.getByRole('button', { name: '手动补单' }))

  const proof = within(await screen.findByRole('dialog', { name: '确认是你本人' }))
  plane.answer(payments.complete, { ...anOrder, status: 'paid' })
  await view.user.type(await proof.findByLabelText('当前密码'), 'my-password')
  await view.user.click(proof.getByRole('button', { name: '继续' }))

  expect(await screen.findByText('已补单')).toBeTruthy()
  expect(plane.to(payments.complete).map(({ body }) => body)).toEqual(Array(2).fill({ trade_no: 'T1', reason: '银行转账' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^为 anna 补单/ })).toBeNull())
})

it('says in words what the provider said of a dispute, and what is left to do', async () => {
  show({ ...anOrder, status: 'paid', dispute: 'lost' })
  plane.answer(payments.statements, [
    { event_id: 'e1', kind: 'disputed', outcome: 'noted', detail: '', received: 1, first_at: 1_700_000_100, last_at: 1_700_000_100 },
  ])
  await open('/payment?order=T1')
  const drawer = within(await screen.findByRole('dialog', { name: '充值订单' }))

  expect(await drawer.findByText('支付争议')).toBeTruthy()
  expect(drawer.queryByText('disputed')).toBeNull()
  expect(drawer.getByText('争议败诉，支付平台会收回款项，用户余额未变动。请在“用户管理”中调整额度。')).toBeTruthy()
})
