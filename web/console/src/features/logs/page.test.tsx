import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import { groups } from '@tollgate/contracts/resources/groups'
import { archiveSearches, type ArchiveSearch } from '@tollgate/contracts/resources/archive-searches'
import { logs } from '@tollgate/contracts/resources/logs'
import { self } from '@tollgate/contracts/resources/self'
import { users } from '@tollgate/contracts/resources/users'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { aLog, aLogExplanation, anExplanation } from '../../testing/log-factories.ts'
import { aStoredUser, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const page = (items: readonly ReturnType<typeof aLog>[]) => ({
  items: [...items],
  total: items.length,
  total_is_capped: false,
  page: 1,
  page_size: 10,
})

const asAdmin = (): void => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default', 'vip'])
  plane.answer(logs.list, page([aLog({ id: 7 })]))
  plane.answer(logs.refusals, { unit: 'minute', seen: 0, listed: 0, reasons: [] })
  plane.answer(logs.stat, { quota: 500_000, rpm: 12, tpm: 34_500 })
}

/** The answer of a window as wide as a phone's. */
const NARROW = { matches: true, media: '', onchange: null, addListener: () => undefined, removeListener: () => undefined }

const asUser = (): void => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.groups, { default: { ratio: 1, desc: '' } })
  plane.answer(logs.listOwn, page([aLog({ id: 7, channel: 0, channel_name: '', other: '{"frt":124}' })]))
  plane.answer(logs.refusalsOwn, { unit: 'minute', seen: 0, listed: 0, reasons: [] })
  plane.answer(logs.statOwn, { quota: 0, rpm: 0, tpm: 0 })
}

describe('the usage log of an admin', () => {
  beforeEach(asAdmin)

  it('shows quota, RPM and TPM, and the tried channels', async () => {
    await open('/log')

    expect(await screen.findByText('#4 → #2')).toBeTruthy()
    expect(await screen.findByText('$1.00')).toBeTruthy()
    expect(screen.getByText('34.5k')).toBeTruthy()
  })

  it('saves the details and the tried channels of each entry with the others', async () => {
    const parts: string[] = []
    const saving = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) void blob.text().then((text) => parts.push(text))
      return 'blob:file'
    })
    const priced = JSON.stringify({
      model_ratio: 1.25,
      completion_ratio: 4,
      group_ratio: 1,
      model_price: -1,
      admin_info: { use_channel: ['4', '2'] },
    })
    const refused = { type: 6, other: JSON.stringify({ reason: 'user-short' }), quota: 0, content: '' }
    plane.answer(logs.list, page([aLog({ id: 7, other: priced }), aLog({ id: 8, ...refused })]))
    const view = await open('/log')
    await screen.findByText('#4 → #2')

    await view.user.click(screen.getByRole('button', { name: '导出本页（CSV）' }))

    await waitFor(() => expect(parts).toHaveLength(1))
    const [head = '', ...lines] = parts[0]?.replace('\uFEFF', '').split('\r\n') ?? []
    expect(head).toContain('重试,详情')
    expect(lines[0]).toContain('#4 → #2,$2.50')
    expect(lines[0]).toContain('$10.00')
    saving.mockRestore()
  })

  it('shows no sums where they cannot be read', async () => {
    plane.fail(logs.stat, 500)
    await open('/log')

    const card = (await screen.findByText('RPM')).parentElement?.parentElement
    await waitFor(() => expect(card?.textContent).toContain('—'))
  })

  it('says above the table what the server says of the rows', async () => {
    plane.warn(logs.list, page([aLog({ id: 7 })]), ['只查询了最近 31 天'])
    await open('/log')

    expect((await screen.findByText('只查询了最近 31 天')).getAttribute('role')).toBe('status')
  })

  it('starts with today to one hour ahead and all types', async () => {
    await open('/log')
    await screen.findByText('gpt-4o')

    const query = plane.to(logs.list)[0]?.query ?? {}
    const midnight = new Date()
    midnight.setHours(0, 0, 0, 0)
    expect(query).toMatchObject({ type: '0', p: '1', page_size: '10', start_timestamp: String(midnight.getTime() / 1000) })
    expect(Math.abs(Number(query['end_timestamp']) - Date.now() / 1000 - 3_600)).toBeLessThan(120)
  })

  it('takes its filters from the address and asks the statistics with the same', async () => {
    await open('/log?type=2&model_name=gpt-4o&channel=7&username=alice&start=100&end=200&page=2')
    await waitFor(() => expect(plane.to(logs.stat)).toHaveLength(1))
    expect(['用户名', '渠道 ID'].map((name) => screen.getByPlaceholderText<HTMLInputElement>(name).value)).toEqual(['alice', '7'])

    const filter = { type: '2', model_name: 'gpt-4o', channel: '7', username: 'alice', start_timestamp: '100', end_timestamp: '200' }
    expect(plane.to(logs.list)[0]?.query).toMatchObject({ ...filter, p: '2' })
    expect(plane.to(logs.stat)[0]?.query).toMatchObject(filter)
  })

  it('keeps a new filter in the address and returns to the first page', async () => {
    const view = await open('/log?page=2')
    await screen.findByText('gpt-4o')

    fireEvent.change(screen.getByLabelText('类型'), { target: { value: '5' } })

    await waitFor(() => expect(view.address()).toBe('/log?type=5'))
  })

  it('loads a user’s details when the name is clicked', async () => {
    plane.answer(users.get, aUser({ id: 1, username: 'alice', quota: 1_000_000, request_count: 1_234 }))
    const view = await open('/log')

    await view.user.click(await screen.findByRole('button', { name: 'alice' }))

    expect(await screen.findByText('1,234')).toBeTruthy()
    expect(plane.to(users.get).map(({ path }) => path)).toContain('/api/user/1')
  })

  it('marks a streamed request, and no other', async () => {
    plane.answer(logs.list, page([aLog({ id: 7, is_stream: true }), aLog({ id: 8, model_name: 'whole', is_stream: false })]))
    await open('/log')

    const markIn = (row: HTMLElement) => within(row.closest('tr') ?? row).queryByRole('img', { name: '流式' })
    expect(markIn(await screen.findByText('gpt-4o'))).toBeTruthy()
    expect(markIn(screen.getByText('whole'))).toBeNull()
  })

  it('remembers which columns are shown across a reload, in this browser', async () => {
    const view = await open('/log')
    await screen.findByText('#4 → #2')
    await view.user.click(screen.getByRole('button', { name: '列设置' }))
    await view.user.click(within(await screen.findByRole('dialog', { name: '列设置' })).getByLabelText('重试'))
    await waitFor(() => expect(screen.queryByText('#4 → #2')).toBeNull())
    expect(storage.get('table-layouts')).toMatchObject({ log: { shown: { retry: false } } })
    view.unmount()

    const again = await open('/log')
    await screen.findByText('gpt-4o')
    expect(screen.queryByText('#4 → #2')).toBeNull()
    await again.user.click(screen.getByRole('button', { name: '列设置' }))
    const box = within(await screen.findByRole('dialog', { name: '列设置' })).getByLabelText<HTMLInputElement>('重试')
    expect(box.checked).toBe(false)
  })

  it.each([
    ['zh', '第 1–1 条，共 10,000+ 条'],
    ['en', '1–1 of 10,000+'],
  ] as const)('says that there are more than were counted (%s)', async (language, range) => {
    plane.answer(logs.list, { ...page([aLog({ id: 7 })]), total: 10_000, total_is_capped: true })
    await open('/log', { language })

    expect(await screen.findByText(range)).toBeTruthy()
    expect(screen.getByText('10,000+')).toBeTruthy()
  })

  it('says what belongs here when nothing was logged', async () => {
    plane.answer(logs.list, page([]))
    await open('/log')

    expect(await screen.findByText('这段时间没有日志')).toBeTruthy()
  })

  it('says what went wrong', async () => {
    plane.refuse(logs.list, '查询超时')
    await open('/log')

    expect((await screen.findAllByText('查询超时')).length).toBeGreaterThan(0)
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })
})

describe('a refused request', () => {
  const refused = aLog({
    id: 8,
    type: 20,
    model_name: '',
    state: '',
    quota: 0,
    content: 'The model does not exist',
    other: JSON.stringify({ reason: 'model.unknown', status_code: 404, error_code: 'model_not_found', requested_model: 'gpt-nine' }),
  })

  it('is listed with its model and its reason in words', async () => {
    asAdmin()
    plane.answer(logs.list, page([refused]))
    await open('/log')

    expect(await screen.findByText('gpt-nine')).toBeTruthy()
    expect(screen.getByText('模型 gpt-nine 不存在')).toBeTruthy()
  })

  it('explains what would have to change, to an administrator also what only they can', async () => {
    asAdmin()
    const rest = { quote: null, usage: null, charge: null, explanation: null, ended_by: null, client_status: null, token_charge: null }
    plane.answer(logs.explain, { log: refused, session: '', ...rest })
    await open('/log?open=8&at=1750000000', { language: 'en' })

    expect(await screen.findByText('Refused request')).toBeTruthy()
    expect(screen.getByText(/Check the spelling/)).toBeTruthy()
    expect(screen.getByText(/enable a channel with this model/)).toBeTruthy()
    expect(screen.getByText('HTTP 404')).toBeTruthy()
  })

  it('is counted with those that have no entry', async () => {
    asAdmin()
    plane.answer(logs.refusals, {
      unit: 'hour',
      seen: 100_000,
      listed: 30,
      reasons: [{ reason: 'model.unpriced', seen: 100_000, listed: 30 }],
    })
    await open('/log', { language: 'en' })

    expect(await screen.findByText('100,000')).toBeTruthy()
    expect(screen.getByText('99,970 only counted')).toBeTruthy()
  })
})

describe('the rows around an open entry', () => {
  it('are one key away', async () => {
    asAdmin()
    plane.answer(logs.list, page([aLog({ id: 9 }), aLog({ id: 7 }), aLog({ id: 5 })]))
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7 }) }))
    const view = await open('/log?open=7&at=1750000000')
    await screen.findByRole('button', { name: '下一条（J）' })

    fireEvent.keyDown(document.body, { key: 'j' })
    await waitFor(() => expect(view.address()).toContain('open=5'))
    fireEvent.keyDown(document.body, { key: 'k' })
    await waitFor(() => expect(view.address()).toContain('open=7'))
  })

  it('of the same token are one click away', async () => {
    asAdmin()
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7, created_at: 100_000, username: 'alice', token_name: 'mine' }) }))
    const view = await open('/log?open=7&at=100000')

    await view.user.click(await screen.findByRole('button', { name: '这个令牌的请求' }))

    await waitFor(() => expect(view.address()).toBe('/log?token_name=mine&username=alice&start=13600&end=103600'))
  })
})

describe('clearing old entries', () => {
  it('counts first, asks for a time, and says that it goes on in the background', async () => {
    asAdmin()
    plane.answer(logs.clearings, [])
    plane.answer(logs.countBefore, 1234)
    plane.answer(logs.clear, { id: 1, before: 100, total: 1234, removed: 0, requested_by: 'root', created_at: 200, finished_at: 0 })
    const view = await open('/log')
    await view.user.click(await screen.findByRole('button', { name: '清理历史日志' }))
    await view.user.click(await screen.findByRole('button', { name: '统计数量' }))
    expect(await screen.findByText('请选择日志记录时间')).toBeTruthy()
    expect(screen.getByRole('button', { name: '开始清理' })).toHaveProperty('disabled', true)

    fireEvent.change(screen.getByLabelText('删除此时间之前的日志'), { target: { value: '2026-01-01 00:00:00' } })
    fireEvent.blur(screen.getByLabelText('删除此时间之前的日志'))
    await view.user.click(screen.getByRole('button', { name: '统计数量' }))
    expect(await screen.findByText('将删除 1234 条日志')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '开始清理' }))

    await waitFor(() => expect(plane.to(logs.clear)).toHaveLength(1))
    expect(await screen.findByText('已开始清理，在后台进行')).toBeTruthy()
  })
})

describe('the filters of the second line', () => {
  it('find a request by its id whenever it was', async () => {
    asAdmin()
    await open('/log?request_id=20260101abc&preset=hour')
    await waitFor(() => expect(plane.to(logs.list)).not.toHaveLength(0))

    expect(plane.to(logs.list)[0]?.query).toMatchObject({ request_id: '20260101abc', start_timestamp: '0', end_timestamp: '0' })
    expect(screen.getByRole('searchbox', { name: '请求 ID' })).toBeTruthy()
  })

  it('open with a button', async () => {
    asAdmin()
    const view = await open('/log')
    expect(screen.queryByLabelText('结果')).toBeNull()

    await view.user.click(await screen.findByRole('button', { name: '更多筛选' }))
    fireEvent.change(screen.getByLabelText('结果'), { target: { value: 'refused' } })

    await waitFor(() => expect(view.address()).toBe('/log?outcome=refused'))
  })
})

describe('the explanation', () => {
  it('marks the text of a failed request as the vendor’s where the vendor wrote it', async () => {
    asAdmin()
    const [attempt] = anExplanation().attempts
    if (attempt === undefined) throw new Error('the explanation has no attempt')
    const explanation = anExplanation({ attempts: [{ ...attempt, outcome: 'refused', status: 400, message: 'max_tokens is too large' }] })
    const failed = (content: string) =>
      aLogExplanation({ log: aLog({ id: 7, type: 5, content, state: 'released' }), charge: null, explanation })
    plane.answer(logs.explain, failed('max_tokens is too large'))
    const view = await open('/log?open=7&at=1750000000')
    const detail = async () => (await screen.findByRole('heading', { name: '内容' })).closest('section')?.textContent
    expect(await detail()).toContain('上游返回：max_tokens is too large')
    view.unmount()

    plane.answer(logs.explain, failed('client closed the connection before the first byte'))
    await open('/log?open=7&at=1750000000')
    expect(await detail()).not.toContain('上游返回')
  })

  it('opens with the row, keeps it in the URL, and shows attempts, candidates, price and ledger', async () => {
    asAdmin()
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7, quota: 45 }) }))
    const view = await open('/log')

    await view.user.click(await screen.findByText('gpt-4o'))

    expect(await screen.findByText('上游错误 500')).toBeTruthy()
    expect(screen.getByText('上游返回：scripted status 500')).toBeTruthy()
    expect(screen.getByText('优先级较低，没有轮到')).toBeTruthy()
    expect(screen.getByText('12 × $2.50 / 1M + 6 × $10.00 / 1M = $0.000090')).toBeTruthy()
    expect(screen.getByText('价格版本 3')).toBeTruthy()
    expect(within(screen.getByText('退回').closest('div') ?? document.body).getByText('$0.000910')).toBeTruthy()
    expect(view.address()).toBe('/log?open=7&at=1750000000')
    expect(plane.to(logs.explain)[0]).toMatchObject({ path: '/api/log/7/explanation', query: { created_at: '1750000000' } })
  })

  it('asks where the same request would go now, and marks what differs', async () => {
    asAdmin()
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7 }) }))
    const first = { channel_id: 4, channel_name: 'flaky', priority: 20, weight: 0, result: 'cooling' as const }
    const rows = [{ group: 'default', first, probabilities: [0], upstream_model: 'gpt-4o' }]
    plane.answer(channels.forecast, { group: 'default', groups: ['default'], allowed_attempts: 1, attempts: 0, is_cut: false, rows })
    const { user } = await open('/log?open=7&at=1750000000', { language: 'en' })

    await user.click(await screen.findByRole('button', { name: 'Compare with the routing of now' }))

    const table = within(await screen.findByRole('region', { name: 'Channels then and now' }))
    expect(table.getAllByRole('row')[1]?.textContent).toMatch(/^#4 flakyAttempt 1.*not usable now$/)
    expect(screen.getByText('4 channels differ.')).toBeTruthy()
    expect(plane.to(channels.forecast)[0]?.body).toEqual({
      model: 'gpt-4o',
      call: 'openai-chat',
      group: 'default',
      token_id: 1,
      conversation: '',
      session: '',
      region: '',
    })
  })

  it('reproduces the choice of an administrator’s row from its record', async () => {
    asAdmin()
    const draws = [
      { left: 1, states: 'uduu' },
      { left: 0, states: 'udut' },
    ]
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7 }), explanation: anExplanation({ choice: { seed: 1, draws } }) }))
    await open('/log?open=7&at=1750000000', { language: 'en' })

    const table = within(await screen.findByRole('region', { name: 'The choice made again' }))
    expect(screen.getByText('Reproduced exactly')).toBeTruthy()
    expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'ChoiceChannelProbabilityDecided by',
      '1#4 flaky100 %no other competed',
      '2#2 backup100 %no other competed',
    ])
  })

  it('has the random number of a draw, and says when the record leads elsewhere', async () => {
    asAdmin()
    const candidates = [2, 4].map((id) => ({ channel_id: id, channel_name: `c${id}`, priority: 0, weight: 0, result: 'chosen' as const }))
    const choice = {
      seed: 7,
      draws: [
        { left: 1, states: 'uu' },
        { left: 0, states: 'bb', pauses: [1, 5000, 0.5, 900] },
      ],
    }
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7 }), explanation: anExplanation({ candidates, choice }) }))
    await open('/log?open=7&at=1750000000', { language: 'en' })

    const table = within(await screen.findByRole('region', { name: 'The choice made again' }))
    expect(screen.getByText('Differs from the record')).toBeTruthy()
    expect(table.getAllByRole('row')[1]?.textContent).toMatch(/^1#2 c250 %random number 0\.\d{4}other channel recorded$/)
  })

  it('says which fact an older row lacks to be reproduced', async () => {
    asAdmin()
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7 }) }))
    await open('/log?open=7&at=1750000000', { language: 'en' })

    expect(await screen.findByText(/^The choice cannot be reproduced: this entry has no random numbers/)).toBeTruthy()
  })

  it('tells the course of the task that the request submitted, with the money that it gave back', async () => {
    asUser()
    const task = [
      { at: 1_750_000_000_123, source: 'submit' as const, state: 'submitted' as const, progress: '0%', quota: 0 },
      { at: 1_750_000_001_000, source: 'posting' as const, state: 'submitted' as const, progress: '0%', quota: 50_000 },
      { at: 1_750_000_060_000, source: 'deadline' as const, state: 'expired' as const, progress: '100%', quota: -50_000 },
    ]
    plane.answer(logs.explainOwn, aLogExplanation({ log: aLog({ id: 7 }), task }))
    await open('/log?open=7&at=1750000000')

    const table = within(await screen.findByRole('region', { name: '任务经过' }))
    const rows = table.getAllByRole('row').map((row) =>
      within(row)
        .queryAllByRole('cell')
        .map((cell) => cell.textContent),
    )

    expect(rows.slice(1).map(([, ...cells]) => cells)).toEqual([
      ['提交', '已提交 0%', ''],
      ['记账', '已提交 0%', '$0.100000'],
      ['超时', '已超时 100%', '-$0.100000'],
    ])
  })

  it('explains the price of a video by its seconds, and asks for no usage', async () => {
    asUser()
    const explained = aLogExplanation({ log: aLog({ id: 7 }) })
    const quote: Quote = {
      mode: 'price',
      model: 'sora-2',
      group: 'default',
      group_ratio: 1,
      quota_per_unit: 500_000,
      price_version: 3,
      model_price: 0.1,
      seconds: 8,
    }
    const usage: Usage = { ...ZERO_USAGE, source: 'upstream' }
    plane.answer(logs.explainOwn, {
      ...explained,
      quote,
      usage,
      charge: { charge: 400_000, lines: [] },
      explanation: anExplanation({ raw_usage: null }),
      task: [{ at: 1_750_000_000_123, source: 'submit', state: 'submitted', progress: '0%', quota: 0 }],
    })
    await open('/log?open=7&at=1750000000')

    expect(await screen.findByText('模型价格 × 秒数 × 分组倍率 × 500,000；尺寸较大的视频另乘尺寸倍率。')).toBeTruthy()
    expect(screen.getByText('任务的价格与用量无关。')).toBeTruthy()
    expect(screen.queryByText('上游没有返回用量。')).toBeNull()
  })

  it('of a test of a channel says that its usage came from upstream, and not that there was none', async () => {
    asAdmin()
    const usage: Usage = { ...ZERO_USAGE, source: 'upstream' }
    plane.answer(logs.explain, aLogExplanation({ log: aLog({ id: 7 }), usage, explanation: null }))
    await open('/log?open=7&at=1750000000')

    expect(await screen.findByText('上游已返回用量；测试只保留合计。')).toBeTruthy()
    expect(screen.queryByText('上游没有返回用量。')).toBeNull()
  })

  it('shows a user neither candidates nor channels', async () => {
    asUser()
    const explanation = anExplanation({
      raw_usage: null,
      candidates: [],
      attempts: anExplanation().attempts.map((attempt) => ({ ...attempt, channel_id: 0, channel_name: '' })),
    })
    plane.answer(logs.explainOwn, aLogExplanation({ log: aLog({ id: 7, channel: 0, channel_name: '' }), explanation }))
    await open('/log?open=7&at=1750000000')

    expect(await screen.findByText('第 2 次尝试')).toBeTruthy()
    expect(screen.queryByText('候选渠道')).toBeNull()
    expect(screen.queryByText('上游没有返回用量。')).toBeNull()
    expect(screen.queryByText(/flaky|backup/)).toBeNull()
    expect(plane.to(logs.explain)).toHaveLength(0)
  })

  it('of an entry that is no request is its content', async () => {
    asAdmin()
    plane.answer(
      logs.explain,
      aLogExplanation({
        log: aLog({ id: 7, type: 1, state: '', model_name: '', content: '通过兑换码充值' }),
        quote: null,
        usage: null,
        charge: null,
        explanation: null,
      }),
    )
    await open('/log?open=7&at=1750000000', { language: 'en' })

    expect(await screen.findByText('通过兑换码充值')).toBeTruthy()
    expect(screen.getByText('Log entry')).toBeTruthy()
    expect(screen.queryByText('Timeline')).toBeNull()
  })
})

describe('the usage log of a user', () => {
  it('names on a phone only what an entry has', async () => {
    asUser()
    const gift = {
      id: 8,
      type: 4,
      content: '新用户注册赠送 ＄0.100000 额度',
      token_name: '',
      group: '',
      model_name: '',
      quota: 0,
      other: '',
    }
    const failed = { id: 6, type: 5, quota: 0, channel: 0, channel_name: '', content: 'too many tokens', other: '{"status_code":400}' }
    plane.answer(logs.listOwn, page([aLog(gift), aLog({ id: 7, channel: 0, channel_name: '' }), aLog(failed)]))
    vi.spyOn(window, 'matchMedia').mockReturnValue(Object.assign(new EventTarget(), NARROW))
    await open('/log')

    await screen.findByText(gift.content)
    const cards = within(screen.getByRole('list', { name: '使用日志' })).getAllByRole('listitem')
    const named = cards.map((card) =>
      within(card)
        .getAllByRole('term')
        .map(({ textContent }) => textContent),
    )
    expect(named).toEqual([['时间'], ['时间', '令牌 / 分组', '用时 / 首字', '花费'], ['时间', '令牌 / 分组', '用时 / 首字', '详情']])
    vi.restoreAllMocks()
  })

  it('marks what a vendor wrote, in the list and in the drawer', async () => {
    asUser()
    const failed = aLog({
      id: 7,
      type: 5,
      content: 'max_tokens is too large',
      state: 'released',
      other: '{"status_code":400,"is_vendor_message":true}',
    })
    plane.answer(logs.listOwn, page([failed]))
    plane.answer(logs.explainOwn, aLogExplanation({ log: failed, charge: null, explanation: anExplanation({ attempts: [] }) }))
    await open('/log?open=7&at=1750000000')

    expect(await screen.findByText('400 · 上游返回：max_tokens is too large')).toBeTruthy()
    const detail = (await screen.findByRole('heading', { name: '内容' })).closest('section')
    expect(detail?.textContent).toContain('上游返回：max_tokens is too large')
  })

  it('asks for the own entries and has no channel, user or retry column', async () => {
    asUser()
    await open('/log')
    await screen.findByText('gpt-4o')

    expect(plane.to(logs.list)).toHaveLength(0)
    expect(plane.to(logs.listOwn)[0]?.query).not.toHaveProperty('username')
    expect(['渠道', '用户', '重试'].map((name) => screen.queryByRole('columnheader', { name }))).toEqual([null, null, null])
    expect(['用户名', '渠道 ID'].map((name) => screen.queryByPlaceholderText(name))).toEqual([null, null])
  })
})

describe('a request of an archived month', () => {
  const request_id = '20260815101500000000000abcdefgh'
  const address = `/log?request_id=${request_id}`
  const aSearch = (over: Partial<ArchiveSearch>): ArchiveSearch => ({
    request_id,
    state: 'done',
    fault: null,
    objects: 3,
    objects_read: 3,
    found: [],
    ...over,
  })

  it('is looked for in the archive, with progress, and explained from there without a receipt', async () => {
    asAdmin()
    plane.answer(logs.list, { ...page([]), archived_month: '2026-08' })
    plane.answer(archiveSearches.latest, null)
    plane.answer(archiveSearches.start, aSearch({ state: 'reading', objects_read: 1 }))
    const view = await open(address)
    await screen.findByText('2026-08 的日志已归档，不在列表中，这个请求可能在其中。')
    plane.answer(archiveSearches.latest, aSearch({ found: [aLogExplanation()] }))

    await view.user.click(screen.getByRole('button', { name: '在归档中查找' }))
    expect(plane.to(archiveSearches.start)[0]?.body).toEqual({ request_id })
    expect(await screen.findByText('已读 1 / 3 个文件')).toBeTruthy()

    await view.user.click(await screen.findByRole('button', { name: '查看详情' }, { timeout: 5000 }))
    const drawer = await screen.findByRole('dialog')
    expect(within(drawer).getByText('时间线')).toBeTruthy()
    expect(within(drawer).queryByRole('button', { name: '下载收据' })).toBeNull()
  })

  it('can be cancelled while it is looked for, and looked for again, with the keyboard', async () => {
    asUser()
    plane.answer(logs.listOwn, { ...page([]), archived_month: '2026-08' })
    plane.answer(archiveSearches.latestOwn, aSearch({ state: 'reading', objects_read: 1 }))
    plane.answer(archiveSearches.cancelOwn, aSearch({ state: 'cancelled', objects_read: 1 }))
    plane.answer(archiveSearches.startOwn, aSearch({ state: 'waiting', objects_read: 0 }))
    const view = await open(address)
    const button = await screen.findByRole('button', { name: '取消查找' })
    plane.answer(archiveSearches.latestOwn, aSearch({ state: 'cancelled', objects_read: 1 }))

    button.focus()
    await view.user.keyboard('{Enter}')
    expect(await screen.findByText('查找已取消。')).toBeTruthy()
    const again = await screen.findByRole('button', { name: '重新查找' })
    expect(document.activeElement).toBe(again)
    await view.user.keyboard('{Enter}')
    expect(await screen.findByRole('button', { name: '取消查找' })).toBeTruthy()
    expect([plane.to(archiveSearches.cancelOwn), plane.to(archiveSearches.startOwn)].map((calls) => calls.length)).toEqual([1, 1])
  })

  it.each([
    ['has no entry of a user', aSearch({}), '归档中没有你账户下这个请求 ID 的日志。'],
    ['cannot be read', aSearch({ state: 'failed', fault: 'no-store' }), '归档的部分内容暂时无法读取。请稍后重新查找，或告知管理员。'],
  ])('says that the archive %s', async (_name, search, text) => {
    asUser()
    plane.answer(logs.listOwn, { ...page([]), archived_month: '2026-08' })
    plane.answer(archiveSearches.latestOwn, search)
    await open(address)

    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('is offered again where the latest search was for another request', async () => {
    asAdmin()
    plane.answer(logs.list, { ...page([]), archived_month: '2026-08' })
    plane.answer(archiveSearches.latest, aSearch({ request_id: 'another', found: [aLogExplanation()] }))
    await open(address)

    expect(await screen.findByRole('button', { name: '在归档中查找' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '查看详情' })).toBeNull()
  })
})
