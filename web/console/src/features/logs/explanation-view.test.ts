import { describe, expect, it } from 'vitest'
import { aLog, aLogExplanation, anAttempt, anExplanation } from '../../testing/a-log.ts'
import { knownFactor, orderedCandidates, shownResult, supportText, toBars, toLedger } from './explanation-view.ts'

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

describe('factors', () => {
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
