import { describe, expect, it } from 'vitest'
import { aLog, aLogExplanation, anAttempt, anExplanation } from '../../testing/log-factories.ts'
import { compareRouting, toQuestion } from './reproduction-view.ts'
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

describe('the reproduction of a choice', () => {
  const row = (
    channel_id: number,
    result: 'chosen' | 'lower-priority' | 'cooling' | 'disabled',
    probabilities: number[],
    priority: number,
  ) => ({
    group: 'default',
    first: { channel_id, channel_name: `c${channel_id}`, priority, weight: 0, result },
    probabilities,
    upstream_model: 'gpt-4o',
  })
  const forecast = (...rows: ReturnType<typeof row>[]) => ({
    group: 'default',
    groups: ['default'],
    allowed_attempts: 3,
    attempts: 2,
    is_cut: false,
    rows,
  })
  const kindsOf = (...rows: ReturnType<typeof row>[]) =>
    compareRouting(anExplanation(), forecast(...rows)).map(({ channel_id, differences }) => [
      channel_id,
      differences.map(({ kind }) => kind).join(),
    ])

  it('finds no difference where each recorded attempt is still possible at its turn', () => {
    const rows = [row(4, 'chosen', [1, 0], 20), row(2, 'lower-priority', [0, 1], 10), row(3, 'lower-priority', [0, 0], 1)]

    expect(kindsOf(...rows, row(5, 'disabled', [0, 0], 30))).toEqual([
      [4, ''],
      [2, ''],
      [5, ''],
      [3, ''],
    ])
  })

  it('marks channels that are gone, new, usable or not, or have another turn, priority or weight', () => {
    expect(
      kindsOf(row(4, 'cooling', [0, 0], 20), row(2, 'chosen', [1, 0], 10), row(5, 'chosen', [0, 1], 31), row(9, 'chosen', [0, 0], 0)),
    ).toEqual([
      [4, 'now-skipped'],
      [2, 'other-turn'],
      [5, 'now-usable,priority'],
      [3, 'gone'],
      [9, 'new'],
    ])
  })

  it('calls no channel new where the record left candidates out', () => {
    const compared = compareRouting(anExplanation({ candidates_cut: 4 }), forecast(row(9, 'chosen', [1, 0], 0)))

    expect(compared.at(-1)).toMatchObject({ channel_id: 9, differences: [] })
  })

  it.each([
    ['/v1/chat/completions', 'openai-chat'],
    ['/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', 'gemini'],
    ['/v1/engines/ada/embeddings', 'openai-embeddings'],
    ['/v1/realtime', undefined],
  ])('reads the kind of request from %s', (path, call) => {
    const client = { ...anExplanation().client, path }

    expect(toQuestion(aLog({ token_id: 4, group: 'vip' }), anExplanation({ client }), '1k9x2ab')).toEqual(
      call === undefined
        ? undefined
        : { model: 'gpt-4o', call, group: 'vip', token_id: 4, conversation: '', session: '1k9x2ab', region: '' },
    )
  })
})
