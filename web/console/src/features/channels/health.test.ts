import type { ChannelHealth } from '@tollgate/contracts/resources/channels'
import { describe, expect, it } from 'vitest'
import { barsOf, marginOf, successText, textOfBreaker, toneOfSuccess, worstBreaker } from './health.ts'

const breaker = (change: Partial<ChannelHealth['breakers'][number]>) =>
  ({ model: 'm', key_id: '', state: 'open', cause: 'failures', remaining_ms: 1000, ...change }) as const

describe('a channel’s health', () => {
  it.each([
    [{ ok: 5, failed: 0 }, '100%', 'green'],
    [{ ok: 9999, failed: 1 }, '99.9%', 'green'],
    [{ ok: 95, failed: 5 }, '95%', 'yellow'],
    [{ ok: 0, failed: 3 }, '0%', 'red'],
  ])('%o reads %s in %s', (counts, text, tone) => {
    expect([successText(counts), toneOfSuccess(counts)]).toEqual([text, tone])
  })

  it('names the breaker that keeps most requests away', () => {
    const trying = breaker({ state: 'half-open' })
    const dead = breaker({ cause: 'dead', model: '*' })

    expect(worstBreaker([trying, breaker({}), dead])).toBe(dead)
    expect([trying, breaker({}), dead, breaker({ cause: 'limited' })].map(textOfBreaker)).toEqual(['trying', 'paused', 'dead', 'limited'])
    expect(worstBreaker([])).toBeUndefined()
  })

  it('draws a bar per period, and shows a single failure among many calls', () => {
    const [none, few, most] = barsOf(
      [
        { ok: 0, failed: 0 },
        { ok: 1, failed: 0 },
        { ok: 999, failed: 1 },
      ],
      { width: 30, height: 20 },
    )

    expect(none).toEqual({ x: 0, height: 0, failedHeight: 0 })
    expect(few).toEqual({ x: 10, height: 2, failedHeight: 0 })
    expect(most).toEqual({ x: 20, height: 20, failedHeight: 1.5 })
  })

  it('knows the margin only with a cost and a charge', () => {
    const health = { spent_today: 200, cost_today: 150 } as ChannelHealth // the two fields that it reads
    expect(marginOf(health)).toBe(25)
    expect(marginOf({ ...health, cost_today: 260 })).toBe(-30)
    expect(marginOf({ ...health, spent_today: 0 })).toBeUndefined()
  })
})
