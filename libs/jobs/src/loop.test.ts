import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startLoop } from './loop.ts'

describe('a loop', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => vi.useRealTimers())

  const log = { warn: () => undefined }
  const aLoop = (moments: number[], { intervalMs, takesMs = 0 }: { intervalMs: number; takesMs?: number }) => {
    const monotonic = () => performance.now()
    const run = async () => {
      moments.push(monotonic())
      await new Promise((resolve) => setTimeout(resolve, takesMs))
    }
    return startLoop({ name: 'test', intervalMs, log, monotonic, run })
  }

  it('runs at the same moments as the other loops of its process, whenever it was started', async () => {
    const [first, second]: [number[], number[]] = [[], []]
    await vi.advanceTimersByTimeAsync(70)
    aLoop(first, { intervalMs: 500, takesMs: 20 })
    await vi.advanceTimersByTimeAsync(130)
    aLoop(second, { intervalMs: 1000, takesMs: 5 })
    await vi.advanceTimersByTimeAsync(3000)

    expect(first.slice(1).every((at) => at % 500 === 0)).toBe(true)
    expect(second.slice(1).every((at) => at % 1000 === 0)).toBe(true)
    expect([first.length, second.length]).toEqual([7, 4])
  })

  it('pauses for a quarter of its interval after a run that took long', async () => {
    const moments: number[] = []
    aLoop(moments, { intervalMs: 1000, takesMs: 900 })
    await vi.advanceTimersByTimeAsync(7000)

    for (const [nth, at] of moments.slice(1).entries()) expect(at - (moments[nth] ?? 0) - 900).toBeGreaterThanOrEqual(250)
    expect(moments.length).toBeGreaterThan(2)
  })
})
