import { describe, expect, it } from 'vitest'
import { inSlices } from './in-slices.ts'

describe('work in slices', () => {
  /** Each item takes this long on the clock of the test. */
  async function slicesOf(durations: readonly number[]): Promise<{ readonly slices: number[][]; readonly turns: number[] }> {
    let clock = 0
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const make = (duration: number) => {
      clock += duration
      return duration
    }
    const slices: number[][] = []
    const seen: number[] = []
    for await (const made of inSlices(durations, make, () => clock)) {
      slices.push([...made])
      seen.push(turns)
    }
    isOver = true
    return { slices, turns: seen }
  }

  it('ends a slice after eight milliseconds, and makes everything in order', async () => {
    expect((await slicesOf([3, 3, 3, 1, 20, 2])).slices).toEqual([[3, 3, 3], [1, 20], [2]])
  })

  it('lets other work run between two slices', async () => {
    const { turns } = await slicesOf([8, 8, 8])

    expect(turns).toHaveLength(3)
    expect(turns[1]).toBeGreaterThan(turns[0] ?? 0)
    expect(turns[2]).toBeGreaterThan(turns[1] ?? 0)
  })

  it('makes nothing of nothing', async () => {
    expect((await slicesOf([])).slices).toEqual([])
  })
})
