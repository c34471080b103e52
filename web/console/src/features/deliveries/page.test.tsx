import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { deliveries, type OutboxEntry } from '@tollgate/contracts/resources/deliveries'
import { webhookEndpoints, type WebhookEndpoint } from '@tollgate/contracts/resources/webhook-endpoints'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const delivery = (change: Partial<OutboxEntry>): OutboxEntry => ({
  id: 1,
  channel: 'mail',
  target: 'lin@example.com',
  template: 'reset',
  user_id: 0,
  state: 'sent',
  attempts: 1,
  created_at: 1_700_000_000,
  due_at: 0,
  ended_at: 1_700_000_001,
  error: '',
  ...change,
})
const page = (items: OutboxEntry[]) => ({ items, total: items.length, page: 1, page_size: 10 })

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(
    deliveries.list,
    page([delivery({ id: 2, target: 'gone@example.com', state: 'dead', attempts: 5, error: '550 no such user' }), delivery({})]),
  )
})

describe('the deliveries', () => {
  it('offer a new attempt for those that were given up, and say why', async () => {
    plane.answer(deliveries.retry, undefined)
    const view = await open('/delivery')
    const row = (await screen.findByText('gone@example.com')).closest('tr') ?? document.body
    expect(within(row).getByText('邮件服务器返回：550 no such user')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: '重新发送' })).toHaveLength(1)

    await view.user.click(within(row).getByRole('button', { name: '重新发送' }))

    expect(await screen.findByText('已重新加入发送队列')).toBeTruthy()
    expect(plane.to(deliveries.retry)[0]?.path).toBe('/api/delivery/2/retry')
    await waitFor(() => expect(plane.to(deliveries.list).length).toBeGreaterThan(1))
  })

  it.each([
    ['the address answered 500', '该地址返回 500'],
    ['the address did not answer in time', '该地址没有及时响应'],
    ['connect ECONNREFUSED 10.0.0.1:25', 'connect ECONNREFUSED 10.0.0.1:25'],
  ])('say in the reader’s language: %s', async (error, text) => {
    plane.answer(deliveries.list, page([delivery({ state: 'dead', error })]))
    await open('/delivery')

    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('keep the chosen state in the address', async () => {
    const view = await open('/delivery')
    await view.user.selectOptions(await screen.findByLabelText('状态'), '已失败')

    await waitFor(() => expect(view.address()).toBe('/delivery?state=dead'))
    await waitFor(() => expect(plane.to(deliveries.list).at(-1)?.query['state']).toBe('dead'))
  })

  it('are not asked for by another administrator', async () => {
    session.start(aStoredUser({ role: 10 }))
    await open('/delivery')

    expect(await screen.findByText('只有超级管理员可以查看')).toBeTruthy()
    expect(plane.to(deliveries.list)).toHaveLength(0)
  })
})

describe('webhook endpoints', () => {
  const endpoint: WebhookEndpoint = {
    id: 7,
    name: '账本',
    url: 'https://hook.example.org/in',
    events: ['channel.disabled'],
    enabled: true,
    created_at: 1_700_000_000,
    old_secret_until: 0,
    waiting: 3,
    dropped: 0,
  }
  beforeEach(() => plane.answer(webhookEndpoints.list, [endpoint]))

  it('are added with their events, and show the secret once', async () => {
    plane.answer(webhookEndpoints.create, { id: 8, secret: 'whsec_c2VjcmV0' })
    const view = await open('/delivery')
    await view.user.click(await screen.findByRole('button', { name: 'Webhook 端点' }))
    await view.user.click(await screen.findByRole('button', { name: '添加端点' }))
    const form = within(await screen.findByRole('dialog'))
    await view.user.click(form.getByRole('button', { name: '创建' }))
    expect(form.getByText('请输入名称')).toBeTruthy()
    expect(form.getByText('至少选择一个事件')).toBeTruthy()

    fireEvent.change(form.getByLabelText(/^名称/), { target: { value: '告警' } })
    fireEvent.change(form.getByLabelText(/^地址/), { target: { value: 'https://hook.example.org/alerts' } })
    await view.user.click(form.getByRole('checkbox', { name: '预算达到提醒比例' }))
    await view.user.click(form.getByRole('button', { name: '创建' }))

    expect((await screen.findByLabelText('签名密钥', { selector: 'code' })).textContent).toBe('whsec_c2VjcmV0')
    const [sent] = plane.to(webhookEndpoints.create)
    expect(sent?.body).toEqual({ name: '告警', url: 'https://hook.example.org/alerts', events: ['budget.reached'], enabled: true })
  })

  it('show their last deliveries, which are sent again', async () => {
    const sent = {
      id: 31,
      event_id: 'evt_1',
      type: 'channel.disabled',
      state: 'dead' as const,
      attempts: 9,
      created_at: 1,
      due_at: 1,
      ended_at: 1,
    }
    plane.answer(webhookEndpoints.deliveries, [{ ...sent, error: 'the address answered 500' }])
    plane.answer(webhookEndpoints.sendAgain, undefined)
    plane.answer(webhookEndpoints.test, undefined)
    const view = await open('/delivery?view=endpoints')
    expect(await screen.findByText('等待发送 3')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '最近投递 · 账本' }))
    expect(await screen.findByText(/该地址返回 500/)).toBeTruthy()

    await view.user.click(screen.getByRole('button', { name: '再次发送' }))
    expect(await screen.findByText('已重新加入发送队列')).toBeTruthy()
    expect(plane.to(webhookEndpoints.sendAgain)[0]?.path).toBe('/api/webhook_endpoint/deliveries/31/send')
    await view.user.click(screen.getByRole('button', { name: '发送测试事件' }))
    expect(await screen.findByText('测试事件已加入发送队列')).toBeTruthy()
  })

  it('are removed only after a question', async () => {
    plane.answer(webhookEndpoints.remove, undefined)
    const view = await open('/delivery?view=endpoints')
    await view.user.click(await screen.findByRole('button', { name: '删除 · 账本' }))
    expect(plane.to(webhookEndpoints.remove)).toHaveLength(0)
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }))

    expect(await screen.findByText('端点已删除')).toBeTruthy()
  })
})
