import { screen, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { whatIf, type WhatIfPresent, type WhatIfReport, type WhatIfResult, type WhatIfSums } from '@tollgate/contracts/resources/what-if'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aChannel } from '../../testing/channel-factories.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

const PRESENT: WhatIfPresent = {
  channels: [
    { id: 1, name: 'main', is_enabled: true, weight: 10, priority: 0, cost_ratio: 1 },
    { id: 2, name: 'backup', is_enabled: false, weight: 5, priority: 0, cost_ratio: 0.5 },
  ],
  strategies: { vip: 'latency' },
  fallbacks: {},
  groups: ['default', 'vip'],
  models: ['m'],
}

const sums = (requests: number, more: Partial<WhatIfSums> = {}): WhatIfSums => ({
  requests,
  attempts: requests,
  failures: 0,
  cost: requests * 500_000,
  revenue: requests * 1_000_000,
  ms: requests * 1000,
  ...more,
})

const RESULT: WhatIfResult = {
  requests: 10,
  changed: 4,
  newly_answered: 1,
  newly_failed: 0,
  by_rate: 3,
  unmeasured: 0,
  unpriced: 0,
  missing: { choice: 2, cut: 0, differs: 0, groups: 0 },
  missing_revenue: 500_000,
  total: { before: sums(10, { failures: 1 }), after: sums(10, { cost: 3_000_000 }) },
  channels: [
    { id: 2, name: 'backup', before: sums(0), after: sums(4, { cost: 1_000_000 }) },
    { id: 1, name: 'main', before: sums(10), after: sums(6) },
  ],
  models: [{ id: 0, name: 'm', before: sums(10), after: sums(10) }],
  users: [],
  more_channels: 0,
  more_models: 0,
  more_users: 0,
  step: 3600,
  series: [{ at: 1_790_000_000, before: sums(10), after: sums(10) }],
}

const aReport = (more: Partial<WhatIfReport> = {}): WhatIfReport => ({
  id: 7,
  state: 'done',
  since: 1_790_000_000,
  until: 1_790_086_400,
  candidate: {
    channels: [
      { id: 1, weight: 20, cost_ratio: 0.8 },
      { id: 2, is_enabled: true },
    ],
    strategies: { vip: 'latency', '*': 'price' },
    prices: [{ model: 'm', model_ratio: 2 }],
  },
  requested_by: 'root',
  created_at: 1_790_086_400,
  finished_at: 1_790_086_410,
  done: 12,
  total: 12,
  result: RESULT,
  ...more,
})

const show = ({ result: _, ...run }: WhatIfReport, found: WhatIfReport = { ...run, result: _ }): void => {
  plane.answer(whatIf.list, [run])
  plane.answer(whatIf.find, found)
}

beforeEach(() => {
  session.start(aStoredUser({ role: 100 }))
  plane.answer(whatIf.present, PRESENT)
  plane.answer(whatIf.list, [])
})

describe('the what-if page', () => {
  it('orders a run with what was changed, and with nothing else', async () => {
    plane.answer(whatIf.start, { ...aReport({ state: 'waiting' }) })
    plane.answer(whatIf.find, aReport({ state: 'running', done: 5, total: 10, result: null }))
    const { user } = await open('/what-if')
    expect(await screen.findByText('还没有推演')).toBeTruthy()
    const weight = await screen.findByRole('textbox', { name: 'main 的权重' })

    await user.clear(weight)
    await user.type(weight, '25')
    await user.click(screen.getByRole('checkbox', { name: '启用 backup' }))
    await user.click(screen.getByRole('tab', { name: '策略' }))
    await user.selectOptions(await screen.findByRole('combobox', { name: '其他所有分组' }), 'price')
    await user.click(screen.getByRole('tab', { name: '售价' }))
    await user.click(await screen.findByRole('button', { name: '添加一行' }))
    await user.type(screen.getByRole('textbox', { name: '模型' }), 'm')
    await user.type(screen.getByRole('textbox', { name: '输入 $/1M' }), '3')
    await user.type(screen.getByRole('textbox', { name: '输出 $/1M' }), '15')
    await user.click(screen.getByRole('button', { name: '开始推演' }))

    expect(await screen.findByText('进行中：5 / 10 条')).toBeTruthy()
    expect(plane.to(whatIf.start).map(({ body }) => body)).toEqual([
      {
        hours: 24,
        candidate: {
          channels: [
            { id: 1, weight: 25 },
            { id: 2, is_enabled: true },
          ],
          strategies: { vip: 'latency', '*': 'price' },
          prices: [{ model: 'm', model_ratio: 1.5, completion_ratio: 5 }],
        },
      },
    ])
    plane.answer(whatIf.cancel, undefined)
    await user.click(screen.getByRole('button', { name: '取消推演' }))
    await expect.poll(() => plane.to(whatIf.cancel).length).toBe(1)
  })

  it('names fields that hold no number, and does not run', async () => {
    const { user } = await open('/what-if')
    const ratio = await screen.findByRole('textbox', { name: 'main 的成本倍率' })
    await user.clear(ratio)

    expect(screen.getByRole('alert').textContent).toBe('数值无效：main')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始推演' }).disabled).toBe(true)
  })

  it('shows the result with what it rests on, and sorts its lines', async () => {
    show(aReport())
    const { user } = await open('/what-if')

    expect(await screen.findByText('10 个请求中有 4 个会去别的渠道，或结果不同。')).toBeTruthy()
    expect(screen.getByText(/^2 条日志缺少选路依据，没有计入（收费 \$1[.\d]*）：2 条没有记录选路。$/)).toBeTruthy()
    const table = within(screen.getByRole('tabpanel', { name: '按渠道' }))
    const names = () =>
      table
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent.slice(0, 2))
    expect(names()).toEqual(['#2', '#1'])
    await user.click(table.getByRole('button', { name: '请求数' }))
    expect(names()).toEqual(['#1', '#2'])
    expect(table.getByRole('columnheader', { name: '请求数' }).getAttribute('aria-sort')).toBe('descending')
  })

  it('applies exactly the listed changes, with the calls of the channel form and the settings', async () => {
    show(aReport())
    plane.answer(channels.get, aChannel({ id: 1, setting: '{"region":"eu"}' }))
    plane.answer(channels.update, aChannel({ id: 1 }))
    plane.answer(options.list, [
      { key: 'RoutingStrategies', value: '{"vip":"latency"}' },
      { key: 'ModelRatio', value: '{"m":1}' },
      { key: 'ModelPrice', value: '{}' },
    ])
    plane.answer(options.update, undefined)
    const { user } = await open('/what-if')

    await user.click(await screen.findByRole('button', { name: '采用这套配置' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: '采用这 5 处改动？' }))
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '#1 main：权重 10 → 20',
      '#1 main：成本倍率 1 → 0.8',
      '#2 backup：启用',
      '其他所有分组 的策略：无 → price',
      'm 的售价：$4',
    ])
    await user.click(dialog.getByRole('button', { name: '采用' }))

    expect(await screen.findByText('已采用 5 处改动')).toBeTruthy()
    expect(plane.to(channels.update).map(({ body }) => body)).toEqual([
      { id: 1, weight: 20, setting: '{"region":"eu","cost_ratio":0.8}' },
      { id: 2, status: 1 },
    ])
    expect(plane.to(options.update).map(({ body }) => body)).toEqual([
      { key: 'RoutingStrategies', value: '{"vip":"latency","*":"price"}', was: '{"vip":"latency"}' },
      { key: 'ModelRatio', value: '{\n  "m": 2\n}', was: '{"m":1}' },
    ])
  })

  it('leaves settings to root, and says so', async () => {
    session.start(aStoredUser({ role: 10 }))
    show(aReport())
    const { user } = await open('/what-if')

    await user.click(await screen.findByRole('button', { name: '采用这套配置' }))

    const dialog = within(await screen.findByRole('alertdialog', { name: '采用这 3 处改动？' }))
    expect(dialog.getByText('另有 2 处改动只有超级管理员可以采用')).toBeTruthy()
  })

  it('says when the configuration cannot be read, and when a run failed', async () => {
    plane.refuse(whatIf.present, '无法读取')
    await open('/what-if')
    expect(await screen.findByText('无法读取')).toBeTruthy()

    plane.answer(whatIf.present, PRESENT)
    show(aReport({ state: 'failed', result: null }))
    await open('/what-if')
    expect(await screen.findByText('推演失败，请查看 worker 的日志')).toBeTruthy()
  })
})
