import { screen, waitFor, within } from '@testing-library/react'
import { channelBatches } from '@tollgate/contracts/resources/channel-batches'
import { channels, type ChannelHealth } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { storage } from '../../../lib/storage.ts'
import { aChannel } from '../../../testing/channel-factories.ts'
import { aStoredUser } from '../../../testing/factories.ts'
import { pick } from '../../../testing/pick.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const plane = planeForTests()

const aHealth = (change: Partial<ChannelHealth>): ChannelHealth => ({
  channel_id: 1,
  is_failing: false,
  ok: 0,
  failed: 0,
  periods: [],
  breakers: [],
  tests: [],
  keys_disabled: 0,
  spent_today: 0,
  ...change,
})

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default'])
  plane.answer(models.presets, {})
  plane.answer(channels.models, [])
  plane.answer(channels.attention, {
    failing: 1,
    auto_disabled: 0,
    keys_out: 0,
    test_failed: 2,
    low_balance: 0,
    keys_expiring: 0,
    keys_disabled: 0,
    models_differ: 0,
    total: 3,
    channels: 37,
    tags: 2,
  })
  plane.answer(channels.list, [
    aChannel({ id: 1, name: 'main', test_error: 'status code 401: wrong key', response_time: 80, test_time: 1_750_000_000 }),
    aChannel({ id: 2, name: 'quiet' }),
  ])
  plane.answer(channels.health, [
    aHealth({
      ok: 90,
      failed: 10,
      p95_ms: 1240,
      periods: [{ ok: 90, failed: 10 }],
      last_error: { time: 1_750_000_000, status: 500, message: 'broken', model: 'm', request_id: 'r' },
      spent_today: 1_000_000,
      cost_today: 750_000,
    }),
    aHealth({ channel_id: 2 }),
  ])
})

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr')
  if (row === null) throw new Error(`no row for ${name}`)
  return row
}

describe('the health of channels', () => {
  it('shows the last hour, today’s money, and the last error on hover', async () => {
    await open('/channel')
    const row = within(await rowOf('main'))

    const share = await row.findByText('90%')
    expect(row.getByText('1.24 s')).toBeTruthy()
    expect(share.closest<HTMLElement>('[data-hint]')?.dataset['hint']).toMatch(
      /最近一小时 100 次调用, 失败 10 次[\s\S]*上游返回：500 broken/,
    )
    expect(row.getByText('$2.00')).toBeTruthy()
    expect(row.getByText('+25%')).toBeTruthy()
  })

  it('shows as ours what no vendor said', async () => {
    plane.answer(channels.list, [aChannel({ id: 1, name: 'main', test_error: '没有答复' })])
    const last_error = { time: 1_750_000_000, status: 0, message: '连接失败', model: 'm', request_id: 'r' }
    plane.answer(channels.health, [aHealth({ ok: 0, failed: 1, last_error })])
    await open('/channel')
    await screen.findByText('0%')

    const hints = [...document.querySelectorAll<HTMLElement>('[data-hint]')].map(({ dataset }) => dataset['hint'] ?? '').join('\n')
    expect(hints).toMatch(/连接失败[\s\S]*没有答复/)
    expect(hints).not.toContain('上游返回')
  })

  it('keeps a channel that failed when it was last called, until a person dismisses it', async () => {
    plane.answer(channels.health, [aHealth({ is_failing: true, failing_since: 1_750_000_000 }), aHealth({ channel_id: 2 })])
    plane.answer(channels.acknowledgeFailure, undefined)
    const view = await open('/channel')
    const row = within(await rowOf('main'))

    expect((await row.findByText('仍在失败')).closest<HTMLElement>('[data-hint]')?.dataset['hint']).toContain('之后没有请求或测试成功')
    await view.user.click(row.getByRole('button', { name: '更多操作' }))
    await pick(view.user, '忽略这次失败')
    await waitFor(() => expect(plane.to(channels.acknowledgeFailure)[0]?.path).toBe('/api/channel/1/dismiss'))
  })

  it('says how many channels there are', async () => {
    await open('/channel')

    expect(await screen.findByText('第 1–2 条，共 37 条')).toBeTruthy()
  })

  it('shows a failed test in its own words, never as a fast one', async () => {
    await open('/channel')
    const row = within(await rowOf('main'))

    expect(row.getByText('未通过 401').closest<HTMLElement>('[data-hint]')?.dataset['hint']).toContain('上游返回：401: wrong key')
    expect(row.queryByText('80 ms')).toBeNull()
  })

  it('says what needs attention, and filters by it', async () => {
    plane.answer(channels.search, [aChannel({ id: 1, name: 'main' })])
    const view = await open('/channel')

    await view.user.click(await screen.findByRole('button', { name: '上次测试未通过 2' }))

    await waitFor(() => expect(plane.to(channels.search)[0]?.query).toMatchObject({ state: 'test-failed' }))
    expect(view.router.state.location.search).toMatchObject({ state: 'test-failed' })
  })

  it('marks other models upstream, and applies them after a question that says how many', async () => {
    const models = { at: 1_750_000_000, fresh: ['gpt-new'], gone: ['gpt-old'], error: '' }
    plane.answer(channels.health, [aHealth({ models, keys_disabled: 2 })])
    plane.answer(channels.applyModels, 1)
    const view = await open('/channel')
    const row = within(await rowOf('main'))
    expect(await row.findByText('停用 2 个密钥')).toBeTruthy()

    await view.user.click(await row.findByRole('button', { name: 'main 的模型：新增 1 个，下架 1 个' }))
    expect(await screen.findByText('+ gpt-new')).toBeTruthy()
    expect(screen.getByText('− gpt-old')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '应用' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '应用' }))

    await waitFor(() => expect(plane.to(channels.applyModels)[0]?.body).toEqual({ changes: [{ id: 1, add: ['gpt-new'], remove: [] }] }))
  })

  it('takes back with one click what a run over all channels disabled or enabled', async () => {
    const result = { ok: false, status: 401, message: 'wrong key', time_ms: 90 } as const
    plane.answer(channels.getRun, {
      id: 'r1',
      kind: 'test',
      capability: 'auto',
      total: 4,
      done: 4,
      is_cancelled: false,
      started_at: 1_750_000_000,
      finished_at: 1_750_000_009,
      results: [
        { ...result, channel_id: 1, name: 'main', change: 'disabled' },
        { ...result, channel_id: 3, name: 'other', change: 'disabled' },
        { ...result, channel_id: 4, name: 'key', change: 'key-disabled' },
        { ...result, channel_id: 2, name: 'quiet', ok: true, change: 'enabled' },
      ],
    })
    plane.answer(channelBatches.edit, 2)
    const { user } = await open('/channel', { language: 'en' })
    await user.click(await screen.findByRole('button', { name: 'Maintenance' }))
    await pick(user, 'Test all channels')

    await user.click(await screen.findByRole('button', { name: 'Enable 2 channels again' }))

    expect(await screen.findByText('2 channels changed back')).toBeTruthy()
    expect(plane.to(channelBatches.edit)[0]?.body).toEqual({ ids: [1, 3], change: { status: 1 } })
    expect(screen.queryByRole('button', { name: 'Enable 2 channels again' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Disable 1 channel again' }))
    expect(plane.to(channelBatches.edit)[1]?.body).toEqual({ ids: [2], change: { status: 2 } })
  })

  it('tells channels whose vendor states no balance from those that failed', async () => {
    plane.answer(channels.getRun, {
      id: 'r1',
      kind: 'balance',
      capability: 'auto',
      total: 2,
      done: 2,
      is_cancelled: false,
      started_at: 1_750_000_000,
      finished_at: 1_750_000_009,
      results: [
        { channel_id: 1, name: 'main', ok: false, status: 401, message: 'wrong key' },
        { channel_id: 2, name: 'quiet', ok: false, status: 0, message: 'not here', has_no_balance: true },
      ],
    })
    const { user } = await open('/channel', { language: 'en' })
    await user.click(await screen.findByRole('button', { name: 'Maintenance' }))
    await pick(user, 'Update all balances')

    expect(await screen.findByText('wrong key')).toBeTruthy()
    expect(screen.getByText('This type has no balance call')).toBeTruthy()
    expect(screen.queryByText('not here')).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Only failed ones' }))
    expect(screen.queryByText('This type has no balance call')).toBeNull()
    expect(screen.getByText('wrong key')).toBeTruthy()
  })

  it('groups the channels without a tag', async () => {
    storage.set('channel-tag-mode', true)
    const view = await open('/channel')
    const head = await rowOf('无标签')
    expect(screen.queryByText('quiet')).toBeNull()

    await view.user.click(within(head).getByRole('button', { name: /无标签/ }))

    expect(await screen.findByText('quiet')).toBeTruthy()
    expect(plane.to(channels.list).map(({ query }) => query['untagged'])).toContain('true')
  })
})
