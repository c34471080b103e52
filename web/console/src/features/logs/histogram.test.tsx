import { screen, waitFor } from '@testing-library/react'
import { groups } from '@tollgate/contracts/resources/groups'
import { logs, type LogHistogram } from '@tollgate/contracts/resources/logs'
import { describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aLog } from '../../testing/log-factories.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { barAt, barsOf, heightsOf, rangeOfSpan, spanBetween } from './histogram-view.ts'

const step = (at: number, charged: number, failed = 0, refused = 0) => ({ at, charged, failed, refused })
const histogram: LogHistogram = {
  seconds: 3600,
  from: 1000,
  until: 4 * 3600 + 1,
  steps: [step(3600, 100), step(3 * 3600, 1, 2, 3)],
  is_cut: false,
}

describe('the histogram of the log', () => {
  const plane = planeForTests()

  it('counts requests by how they ended, and a press on a colour chooses the type', async () => {
    session.start(aStoredUser())
    plane.answer(groups.list, ['default'])
    plane.answer(logs.list, { items: [aLog({ id: 7 })], total: 1, total_is_capped: false, page: 1, page_size: 10 })
    plane.answer(logs.refusals, { unit: 'minute', seen: 0, listed: 0, reasons: [] })
    plane.answer(logs.stat, { quota: 0, rpm: 0, tpm: 0 })
    plane.answer(logs.histogram, histogram)
    const { user, address } = await open('/log?page=2')

    expect(await screen.findByRole('img', { name: '所选时间内共 106 次请求' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '失败 2' }))
    expect(address()).toBe('/log?type=5')
    // The other colours stay, so that one of them can be chosen next.
    expect(plane.to(logs.histogram).map(({ query }) => query['type'])).toEqual(['0'])
    await user.click(screen.getByRole('button', { name: '失败 2', pressed: true }))
    expect(address()).toBe('/log')
  })

  it('stays when a later reading of it fails', async () => {
    session.start(aStoredUser())
    plane.answer(groups.list, ['default'])
    plane.answer(logs.list, { items: [aLog({ id: 7 })], total: 1, total_is_capped: false, page: 1, page_size: 10 })
    plane.answer(logs.refusals, { unit: 'minute', seen: 0, listed: 0, reasons: [] })
    plane.answer(logs.stat, { quota: 0, rpm: 0, tpm: 0 })
    plane.answer(logs.histogram, histogram)
    const { user } = await open('/log')
    await screen.findByRole('img', { name: '所选时间内共 106 次请求' })
    plane.fail(logs.histogram, 503)

    await user.click(screen.getByRole('button', { name: '刷新' }))

    await waitFor(() => expect(plane.to(logs.histogram).length).toBeGreaterThan(1))
    expect(screen.getByRole('img', { name: '所选时间内共 106 次请求' })).toBeTruthy()
  })

  it('has a bar for every step of the range, the first and the last cut by it', () => {
    const bars = barsOf(histogram)
    expect(bars.map(({ from, until, total }) => [from, until, total])).toEqual([
      [1000, 3600, 0],
      [3600, 7200, 100],
      [7200, 10_800, 0],
      [10_800, 14_400, 6],
      [14_400, 14_401, 0],
    ])
    expect(barsOf({ ...histogram, steps: [] })).toHaveLength(4)
  })

  it('turns a drag into the time of its bars, in both directions', () => {
    const bars = barsOf(histogram)
    expect(spanBetween(bars, 1, 3)).toEqual({ from: 3600, until: 14_400 })
    expect(spanBetween(bars, 3, 1)).toEqual(spanBetween(bars, 1, 3))
    expect(rangeOfSpan({ from: 3600, until: 14_400 })).toEqual({ start: 3600, end: 14_399 })
    expect([-0.1, 0, 0.39, 1, 1.5].map((place) => barAt(5, place))).toEqual([0, 0, 1, 4, 4])
  })

  it('shows a few failures beside many requests', () => {
    expect(heightsOf({ from: 0, until: 1, charged: 990, failed: 1, refused: 0, total: 991 }, 991)).toMatchObject({ failed: 3, refused: 0 })
  })
})
