import { screen, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { beforeEach, describe, expect, it } from 'vitest'
import { percentText } from '../../../lib/percent-text.ts'
import { session } from '../../../lib/session.ts'
import { aChannel } from '../../../testing/channel-factories.ts'
import { aStoredUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'
import { pick } from '../../../testing/pick.ts'
import { inTryOrder } from './forecast-view.ts'

const plane = planeForTests()

const aRow = (channel_id: number, result: 'chosen' | 'lower-priority', probabilities: number[], priority = 0) => ({
  group: 'default',
  first: { channel_id, channel_name: `c${channel_id}`, priority, weight: 0, result },
  probabilities,
  upstream_model: 'gpt-y',
})

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default', 'vip'])
  plane.answer(models.presets, {})
  plane.answer(channels.models, [])
  plane.answer(channels.enabledModels, ['gpt-x', 'gpt-z'])
  plane.answer(channels.list, [aChannel({ id: 1, name: 'main' })])
})

describe('the forecast of routing', () => {
  it('asks for a model and shows the shares of each attempt, or why the request would be refused', async () => {
    plane.answer(channels.forecast, {
      group: 'default',
      groups: ['default'],
      allowed_attempts: 3,
      attempts: 2,
      is_cut: false,
      rows: [aRow(2, 'lower-priority', [0, 1], -1), aRow(1, 'chosen', [1, 0])],
    })
    const { user } = await open('/channel')
    await user.click(await screen.findByRole('button', { name: '维护' }))
    await pick(user, '试算路由')
    const drawer = within(await screen.findByRole('dialog', { name: '试算路由' }))
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: '试算' }).disabled).toBe(true)

    await user.click(drawer.getByRole('button', { name: /^模型/ }))
    await user.type(await screen.findByRole('combobox', { expanded: true }), 'gpt-x')
    await user.keyboard('{Enter}')
    await user.click(drawer.getByRole('button', { name: '试算' }))

    const rows = await drawer.findAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual([
      '渠道优先级权重第 1 次第 2 次说明',
      '#1 c100100 %–上游模型 gpt-y',
      '#2 c2-10–100 %优先级较低，没有轮到',
    ])
    expect(plane.to(channels.forecast)[0]?.body).toEqual({
      model: 'gpt-x',
      call: 'openai-chat',
      group: 'default',
      token_id: 0,
      conversation: '',
      session: '',
      region: '',
    })

    plane.refuse(channels.forecast, '没有渠道')
    await user.click(drawer.getByRole('button', { name: '试算' }))
    expect((await drawer.findByText(/这条请求会被拒绝/)).textContent).toContain('没有渠道')
  })

  it('names the prices of the model that change soon, with date, old and new figure', async () => {
    plane.answer(channels.forecast, {
      group: 'default',
      groups: ['default'],
      allowed_attempts: 1,
      attempts: 1,
      is_cut: false,
      rows: [aRow(1, 'chosen', [1])],
      coming_prices: [
        { at: Date.parse('2026-12-01') / 1000, origin: 'catalogue', lines: [{ line: 'input', before: 2, after: 4 }] },
        {
          at: Date.parse('2026-12-03T10:00:00') / 1000,
          origin: 'schedule',
          lines: [
            { line: 'output', before: 10, after: 12.5 },
            { line: 'each', before: null, after: 0.02 },
          ],
        },
        { at: Date.parse('2026-12-04T10:00:00') / 1000, origin: 'schedule', lines: [] },
      ],
    })
    const { user } = await open('/channel')
    await user.click(await screen.findByRole('button', { name: '维护' }))
    await pick(user, '试算路由')
    const drawer = within(await screen.findByRole('dialog', { name: '试算路由' }))
    await user.click(drawer.getByRole('button', { name: /^模型/ }))
    await user.type(await screen.findByRole('combobox', { expanded: true }), 'gpt-x')
    await user.keyboard('{Enter}')
    await user.click(drawer.getByRole('button', { name: '试算' }))

    const changes = within(await drawer.findByRole('list', { name: '31 天内的价格变动' })).getAllByRole('listitem')
    expect(changes.map(({ textContent }) => textContent)).toEqual([
      '2026-12-01（UTC）厂商调价，这里未设置定时变更输入 $2 → $4',
      '2026-12-03 10:00:00定时变更输出 $10 → $12.5每次 – → $0.02',
      '2026-12-04 10:00:00定时变更长提示词的价格变动',
    ])
  })

  it('orders by the first attempt, then by the next, and never calls a small share none', () => {
    const rows = [
      aRow(1, 'chosen', [0.2, 0.8]),
      aRow(2, 'lower-priority', [0, 0], 9),
      aRow(3, 'chosen', [0.2, 0.9]),
      aRow(4, 'chosen', [0.6, 0]),
    ]

    expect(inTryOrder(rows).map(({ first }) => first.channel_id)).toEqual([4, 3, 1, 2])
    expect([0, 0.0004, 0.25, 1 / 3, 0.99999, 1].map(percentText)).toEqual(['–', '< 0.1 %', '25 %', '33.3 %', '> 99.9 %', '100 %'])
  })
})
