import { screen, waitFor, within } from '@testing-library/react'
import { deliveries, type OutboxEntry } from '@tollgate/contracts/resources/deliveries'
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
