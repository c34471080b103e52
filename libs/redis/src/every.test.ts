import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { every } from './every.ts'

describe('periodic work', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => vi.useRealTimers())

  it('of one process runs at the same moments, whenever it was started', () => {
    const moments: number[] = []
    const note = (): void => void moments.push(performance.now() % 1000)

    const started = [every(1000, note)]
    vi.advanceTimersByTime(333)
    started.push(every(500, note))
    vi.advanceTimersByTime(3000)
    for (const ticks of started) ticks.stop()

    expect(moments).toHaveLength(9)
    expect(new Set(moments)).toEqual(new Set([0, 500]))
  })

  it('ends when it is stopped', () => {
    let runs = 0
    const ticks = every(100, () => (runs += 1))
    vi.advanceTimersByTime(250)
    ticks.stop()
    vi.advanceTimersByTime(1000)

    expect(runs).toBe(2)
  })
})
