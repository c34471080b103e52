import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activityStarts, isFailing, LATENCY_BOUNDS_MS, latencyIndex, p95Of, sumActivity } from './activity.ts'

const histogram = (times: readonly number[]): number[] => {
  const counts = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0)
  for (const ms of times) counts[latencyIndex(ms)] = (counts[latencyIndex(ms)] ?? 0) + 1
  return counts
}

describe('the activity of a channel', () => {
  it('has no latency without calls', () => {
    expect(p95Of(histogram([]))).toBeUndefined()
  })

  it('shows the slow twentieth, not the mean', () => {
    const times = [...Array.from({ length: 94 }, () => 120), ...Array.from({ length: 6 }, () => 9000)]

    expect(p95Of(histogram(times))).toBeGreaterThan(7500)
    expect(p95Of(histogram(times.slice(0, 94)))).toBeLessThanOrEqual(150)
  })

  it('estimates the exact value within the width of its bucket', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 120_000 }), { minLength: 1, maxLength: 200 }), (times) => {
        const exact = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0
        const index = latencyIndex(exact)
        const shown = p95Of(histogram(times)) ?? -1
        expect(shown).toBeGreaterThanOrEqual(LATENCY_BOUNDS_MS[index - 1] ?? 0)
        expect(shown).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[index] ?? Number.POSITIVE_INFINITY)
      }),
    )
  })

  it('adds up, and periods without calls count as none', () => {
    const one = { ok: 2, failed: 1, latency: histogram([40, 900]) }

    expect(sumActivity([one, undefined, one])).toEqual({ ok: 4, failed: 2, latency: histogram([40, 900, 40, 900]) })
    expect(sumActivity([])).toMatchObject({ ok: 0, failed: 0 })
  })

  it('covers the last hour in twelve periods, the current one included', () => {
    const starts = activityStarts(1_000_000)

    expect(starts).toHaveLength(12)
    expect(starts.at(-1)).toBe(999_900)
    expect(starts[0]).toBe(999_900 - 11 * 300)
  })

  it.each([
    ['one failure alone is no evidence', [{ ok: 0, failed: 1 }], false],
    ['all of a few failed', [{ ok: 0, failed: 2 }], true],
    ['one of a few succeeded', [{ ok: 1, failed: 3 }], false],
    ['half failed', [{ ok: 5, failed: 5 }], true],
    ['less than half failed', [{ ok: 6, failed: 5 }], false],
    ['the failures are followed by quiet', [{ ok: 90, failed: 0 }, { ok: 0, failed: 9 }, undefined, undefined], true],
    [
      'few calls, but all failed, since the last success',
      [
        { ok: 90, failed: 0 },
        { ok: 0, failed: 3 },
      ],
      false,
    ],
    [
      'it works again',
      [
        { ok: 0, failed: 90 },
        { ok: 5, failed: 0 },
      ],
      false,
    ],
    ['it was not called', [undefined, { ok: 0, failed: 0 }], false],
  ] as const)('says of a channel whether it fails now: %s', (_why, periods, isBad) => {
    expect(isFailing(periods)).toBe(isBad)
  })
})
