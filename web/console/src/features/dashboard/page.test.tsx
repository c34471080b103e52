import { screen, waitFor, within } from '@testing-library/react'
import { dashboard, type UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const sums = {
  requests: 3,
  errors: 1,
  quota: 1_000_000,
  tokens: 4_321,
  use_time_ms: 8_000,
  input_tokens: 4_000,
  cached_tokens: 1_200,
  p95_ms: 3_000,
  first_p50_ms: 500,
}
const series = (): UsageSeries => ({
  unit: 'hour',
  is_utc: false,
  refresh_minutes: 5,
  totals: sums,
  overall: [{ at: Math.floor(Date.now() / 3_600_000) * 3600, ...sums }],
  keys: [{ key: '7', name: 'east', ...sums, cost: 400_000 }],
  points: [{ at: Math.floor(Date.now() / 3_600_000) * 3600, key: '7', ...sums }],
})

beforeEach(() => {
  plane.answer(dashboard.series, series())
  plane.answer(dashboard.ownSeries, series())
})

describe('the dashboard', () => {
  it('starts with the site’s granularity and asks for everyone and for the period before', async () => {
    session.start(aStoredUser({ role: 100 }))
    await open('/detail?range=today&by=channel')

    const list = await screen.findByRole('region', { name: '排行' })
    // The period before, which may arrive later, has the same.
    expect(screen.getAllByText('3.00 s').length).toBeGreaterThanOrEqual(2)
    expect(screen.getByText('500 ms')).toBeTruthy()
    const [now, before] = plane.to(dashboard.series).map(({ query }) => query)
    expect(now).toMatchObject({ unit: 'hour', by: 'channel', rank: 'quota', username: '' })
    expect(Number(now?.['end_timestamp']) - Number(before?.['end_timestamp'])).toBe(86_400)
    const row = within(list).getByRole('button', { name: 'east' }).closest('tr') ?? document.body
    for (const text of ['$2.00', '$0.80', '$1.20 (60%)', '25.0%', '30.0%', '4,321']) expect(within(row).getByText(text)).toBeTruthy()
  })

  it('keeps what is chosen in the address, and opens the log behind a row', async () => {
    session.start(aStoredUser({ role: 10 }))
    const view = await open('/detail?range=today&by=channel')
    await screen.findByRole('region', { name: '排行' })
    expect(screen.queryByText('毛利'), 'only root sees what channels cost').toBeNull()

    await view.user.selectOptions(screen.getByLabelText('指标'), '请求次数')
    await waitFor(() => expect(view.address()).toBe('/detail?range=today&by=channel&rank=requests'))
    await view.user.click(within(await screen.findByRole('region', { name: '排行' })).getByRole('button', { name: 'east' }))

    await waitFor(() => expect(view.router.state.location.pathname).toBe('/log'))
    expect(view.router.state.location.search).toMatchObject({ channel: 7 })
  })

  it('leads from a row of a user to that user', async () => {
    session.start(aStoredUser({ role: 10 }))
    await open('/detail?range=today&by=user')
    const list = await screen.findByRole('region', { name: '排行' })

    expect(within(list).getByRole('link', { name: '打开用户 east' }).getAttribute('href')).toBe('/user?open=7')
  })

  it('says of an empty chart what there was none of', async () => {
    session.start(aStoredUser({ role: 100 }))
    const served = { requests: 3, errors: 0, quota: 1_000_000, tokens: 4_321, use_time_ms: 8_000, input_tokens: 4_000, cached_tokens: 0 }
    const at = Math.floor(Date.now() / 3_600_000) * 3600
    plane.answer(dashboard.series, {
      ...series(),
      totals: served,
      overall: [{ at, ...served }],
      keys: [{ key: '7', name: 'east', ...served, cost: 0 }],
      points: [{ at, key: '7', ...served }],
    })
    await open('/detail?range=today&by=channel')

    const emptyOf = async (name: string): Promise<string> =>
      (await screen.findByRole('figure', { name })).textContent?.replace(name, '') ?? ''
    expect(await emptyOf('失败率')).toBe('这段时间没有失败的请求。')
    expect(await emptyOf('首字时间')).toBe('这段时间没有流式请求。')
    expect(await emptyOf('缓存占比 · 按渠道')).toBe('这段时间没有从缓存读取的提示 Token。')
  })

  it('shows every chart as a table', async () => {
    session.start(aStoredUser({ role: 100 }))
    const view = await open('/detail?range=today&by=channel')
    const chart = await screen.findByRole('figure', { name: '消耗额度占比' })

    await view.user.click(await within(chart).findByRole('button', { name: '以表格显示' }))

    const rows = within(chart).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual(['名称数值占比', 'east$2.00100.0%'])
  })

  it('is the own one for a user, without users and channels to choose from', async () => {
    session.start(aStoredUser({ role: 1 }))
    await open('/detail')

    await waitFor(() => expect(plane.to(dashboard.ownSeries)).toHaveLength(2))
    expect(plane.to(dashboard.series)).toHaveLength(0)
    const choices = within(await screen.findByLabelText('分组方式')).getAllByRole('option')
    expect(choices.map(({ textContent }) => textContent)).toEqual(['按模型', '按令牌', '按分组'])
    expect(screen.queryByPlaceholderText('用户名称')).toBeNull()
  })

  it('is in the menu only where the stored setting says so', async () => {
    session.start(aStoredUser({ role: 1 }))
    plane.answer(dashboard.ownSeries, series())
    storage.set('enable_data_export', true)
    await open('/detail')
    expect(await screen.findByRole('link', { name: '数据看板' })).toBeTruthy()

    plane.fail((await import('@tollgate/contracts/resources/status')).status.get, 500)
    localStorage.setItem('enable_data_export', 'false')
    window.dispatchEvent(new Event('storage'))
    await waitFor(() => expect(screen.queryByRole('link', { name: '数据看板' })).toBeNull())
  })

  it('says what is missing when nothing can be read, and reads again on demand', async () => {
    session.start(aStoredUser({ role: 1 }))
    plane.refuse(dashboard.ownSeries, '时间跨度不能超过 1 个月')
    const view = await open('/detail')
    const chart = await screen.findByRole('figure', { name: '消耗额度趋势' })
    expect(await within(chart).findByText('时间跨度不能超过 1 个月')).toBeTruthy()
    const card = screen.getAllByText('失败率')[0]?.closest('dl') ?? document.body
    await waitFor(() => expect(within(card).getAllByText('–').length, 'the figures say that they are not there').toBe(2))

    plane.answer(dashboard.ownSeries, series())
    await view.user.click(within(chart).getByRole('button', { name: '重试' }))

    await waitFor(() => expect(screen.queryByText('时间跨度不能超过 1 个月')).toBeNull())
  })
})
