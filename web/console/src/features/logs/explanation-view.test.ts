import type { LineItem } from '@tollgate/contracts/quote'
import { describe, expect, it } from 'vitest'
import { aLog, aLogExplanation, anAttempt, anExplanation } from '../../testing/a-log.ts'
import { formulaNumbers, knownFactor, orderedCandidates, shownResult, supportText, toBars, toLedger } from './explanation-view.ts'

describe('the timeline', () => {
  it('puts each attempt below the dispatch, on one axis', () => {
    const { total_ms, bars } = toBars(anExplanation())

    expect(total_ms).toBe(1_400)
    expect(bars.map(({ key, tone }) => [key, tone])).toEqual([
      ['reserve', 'blue'],
      ['dispatch', 'blue'],
      ['attempt-0', 'red'],
      ['attempt-1', 'green'],
      ['deliver', 'blue'],
    ])
    expect(bars[4]).toMatchObject({ from: 130 / 1_400, width: 1_270 / 1_400, duration_ms: 1_270 })
    expect(bars[3]?.mark).toBe(126 / 1_400)
  })

  it('shows attempts of a relay that died before its dispatch ended', () => {
    const { bars } = toBars({ steps: [{ step: 'reserve', started_ms: 0, ended_ms: 1 }], attempts: [anAttempt({ outcome: 'aborted' })] })

    expect(bars.map(({ key }) => key)).toEqual(['reserve', 'attempt-0'])
  })

  it('survives an explanation without any time', () => {
    expect(toBars({ steps: [], attempts: [] })).toEqual({ total_ms: 1, bars: [] })
  })
})

describe('the ledger', () => {
  it.each([
    ['less than held goes back', 90, { held: 500, charged: 90, returned: 410, added: 0 }],
    ['more than held is charged in addition', 700, { held: 500, charged: 700, returned: 0, added: 200 }],
    ['nothing was used', 0, { held: 500, charged: 0, returned: 500, added: 0 }],
  ])('always adds up: %s', (_why, charged, expected) => {
    const ledger = toLedger(anExplanation(), charged)

    expect(ledger).toMatchObject(expected)
    expect(ledger.held + ledger.added - ledger.returned).toBe(ledger.charged)
  })
})

describe('candidates', () => {
  it('stand with the used ones first, in the order of their attempts, then by priority', () => {
    expect(orderedCandidates(anExplanation()).map(({ channel_id }) => channel_id)).toEqual([4, 2, 5, 3])
  })
})

describe('the formula', () => {
  const line = (
    kind: LineItem['kind'],
    amount: Pick<LineItem, 'tokens' | 'count'>,
    ...factors: [name: string, value: string][]
  ): LineItem => ({
    kind,
    ...amount,
    factors: factors.map(([name, value]) => ({ name, value })),
    quota: '1',
  })

  it('has this request’s numbers', () => {
    const lines = [
      line('input', { tokens: 12 }, ['model_ratio', '1.25'], ['group_ratio', '1']),
      line('cache-read', { tokens: 100 }, ['model_ratio', '1.25'], ['cache_ratio', '0.5'], ['group_ratio', '1']),
      line('output', { tokens: 6 }, ['model_ratio', '1.25'], ['completion_ratio', '4'], ['group_ratio', '1']),
      line('rounding', {}),
    ]

    expect(formulaNumbers({ lines })).toBe('1 × 1.25 × (12 + 100 × 0.5 + 6 × 4)')
  })

  it('has every class, the unit and the tools', () => {
    const tail: [string, string][] = [
      ['group_ratio', '1'],
      ['unit', '2'],
    ]
    const lines = [
      line('cache-write-1h', { tokens: 7 }, ['model_ratio', '3'], ['cache_creation_1h_ratio', '2'], ...tail),
      line('seconds', { tokens: 1000, count: 60 }, ['model_ratio', '3'], ...tail),
      line('characters', { count: 5 }, ['model_ratio', '3'], ...tail),
      line('tool', { count: 2 }, ['tool_price', '0.01'], ['quota_per_unit', '1000000'], ['group_ratio', '1']),
    ]

    expect(formulaNumbers({ lines })).toBe('1 × 3 × 2 × (7 × 2 + 1000 + 5) + 0.01 × 1000000 × 1 × 2')
  })

  it('is price by unit by group, and by images, for a call', () => {
    const price: [string, string][] = [
      ['model_price', '0.04'],
      ['quota_per_unit', '500000'],
      ['group_ratio', '0.8'],
    ]

    expect(formulaNumbers({ lines: [line('call', {}, ...price)] })).toBe('0.04 × 500000 × 0.8')
    expect(formulaNumbers({ lines: [line('call', { count: 3 }, ...price)] })).toBe('0.04 × 500000 × 0.8 × 3')
  })

  it('is nothing where nothing was charged', () => {
    expect(formulaNumbers({ lines: [] })).toBe('0')
  })

  it('shows factors of later versions by their own name', () => {
    expect([knownFactor('model_ratio'), knownFactor('moon_ratio')]).toEqual(['model_ratio', undefined])
  })
})

describe('the text for support', () => {
  it('has ids, times and outcomes', () => {
    const text = supportText(aLogExplanation())

    expect(text).toContain('request_id: 20260615120000000000000abc')
    expect(text).toContain('attempt 1: refused 500, 1 ms, channel 4')
    expect(text).toContain('tokens: 12 + 6 (upstream)')
  })

  it('has no address, no upstream text and no name', () => {
    const text = supportText(aLogExplanation({ log: aLog({ content: 'secret content', username: 'alice', token_name: 'my-token' }) }))

    expect(text).not.toMatch(/203\.0\.113\.7|scripted status|openai-node|alice|my-token|secret content|flaky/)
  })
})

describe('the result on a candidate', () => {
  it('says used only of a channel that answered', () => {
    const { attempts, candidates } = anExplanation()
    const shown = candidates.map((candidate) => [candidate.channel_name, shownResult(candidate, attempts).text])

    expect(shown).toEqual([
      ['slow', 'lower-priority'],
      ['off', 'disabled'],
      ['backup', 'chosen'],
      ['flaky', 'failed'],
    ])
  })
})
