import { describe, expect, it } from 'vitest'
import { toPage } from './page.ts'
import type { Result } from './report.ts'

const result: Result = {
  figures: [
    ['admitted', 17],
    ['faults', 'redis-kill 2'],
  ],
  sums: [
    ['lost', 0],
    ['drift', 0],
  ],
  findings: [],
  faults: new Map([
    ['redis-kill', 2],
    ['evict (failed)', 1],
  ]),
  requests: 20_000,
  lastedMs: 100_000,
  isSound: true,
}
const about = {
  options: {
    args: ['--seed', '7', '--out', '/somewhere/page.md', '--seconds', '60'],
    seed: 7,
    out: undefined,
    topology: 'cluster' as const,
  },
  startedAt: new Date('2026-11-30T10:00:00Z'),
  commit: 'abc1234',
}

describe('toPage', () => {
  it('shows the command without the place of the page, the rate, each fault and each sum', () => {
    const page = toPage(result, about)
    expect(page).toContain('# Chaos on a Redis Cluster: ')
    expect(page).toContain('`npm run chaos -- --seed 7 --seconds 60` (seed 7, commit abc1234)')
    expect(page).toContain('20000 requests in 100 s, 200 a second, under 3 faults')
    expect(page).toContain('**Sound.** Every sum is 0.')
    expect(page).toMatch(/\| evict \(failed\) \| 1 \|\n\| redis-kill \| 2 \|/)
    expect(page).toContain('| drift | 0 |')
    expect(page).toContain('| admitted | 17 |')
    expect(page).not.toContain('somewhere')
  })

  it('names the sums that are not 0', () => {
    const sums: Result['sums'] = [
      ['lost', 3],
      ['drift', 0],
    ]
    expect(toPage({ ...result, sums, isSound: false }, about)).toContain('**NOT SOUND.** Not 0: lost 3.')
  })
})
