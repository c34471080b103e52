import { screen, waitFor, within } from '@testing-library/react'
import { dashboard, type UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { payments } from '@tollgate/contracts/resources/payments'
import { self } from '@tollgate/contracts/resources/self'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aStoredUser, aUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const DAY = 86_400
const plane = planeForTests()
const today = Math.floor(Date.now() / 1000 / DAY) * DAY
const sums = { requests: 1, errors: 0, tokens: 1, use_time_ms: 1, input_tokens: 1, cached_tokens: 0, quota: 0 }
const answered = (overall: UsageSeries['overall']): UsageSeries => ({
  unit: 'day',
  is_utc: true,
  refresh_minutes: 5,
  totals: sums,
  overall,
  keys: [],
  points: [],
})

beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.get, aUser({ role: 1 }))
  plane.answer(payments.info, { methods: [], amounts: [], discounts: {}, group_ratio: 1 })
})

describe('spending by day', () => {
  it('has a stop for the keyboard, moves by arrows between days with spending, and opens the requests of one', async () => {
    const at = (days: number, quota: number) => ({ ...sums, at: today - days * DAY, quota })
    plane.answer(dashboard.ownSeries, answered([at(20, 250_000), at(8, 1_000_000), at(1, 500_000)]))
    const view = await open('/topup')
    const panel = await screen.findByRole('region', { name: '每日消耗' })

    const days = await within(panel).findAllByRole('button')
    expect(days.map((day) => [/：(\$[\d.]+)/.exec(day.getAttribute('aria-label') ?? '')?.[1], day.tabIndex])).toEqual([
      ['$0.500000', -1],
      ['$2.000000', -1],
      ['$1.000000', 0],
    ])
    expect(panel.textContent).toContain('3 天共消耗 $3.50')
    days[2]?.focus()
    await view.user.keyboard('{ArrowLeft}')
    expect(document.activeElement).toBe(days[1])
    await view.user.keyboard('{ArrowUp}{Enter}')

    await waitFor(() => expect(view.router.state.location.pathname).toBe('/log'))
    expect(view.router.state.location.search).toMatchObject({ start: today - 20 * DAY, end: today - 19 * DAY - 1 })
  })

  it('says that nothing was spent', async () => {
    plane.answer(dashboard.ownSeries, answered([]))
    await open('/topup')
    expect(await screen.findByText('这段时间没有消耗。')).toBeTruthy()
  })
})
