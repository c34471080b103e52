import type { TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
import { texts } from '../../i18n/en/logs.ts'
import { aLog } from '../../testing/log-factories.ts'
import { otherOf } from '../../ui/display/log-other.ts'
import { durationOf, firstTokenOf, isRequest, mappedModel, retryText, tokenNameOf, tokenParts, typeOf } from './row-view.ts'
import { parseLogSearch, presetOf, rangeOf } from './search.ts'

const withOther = (other: object) => aLog({ other: JSON.stringify(other) })

describe('the duration of a row', () => {
  it.each([
    ['whole seconds', { use_time: 6 }, '6 s'],
    ['below one second, the time of the whole answer', { use_time: 0, is_stream: false, other: '{"frt":66}' }, '66 ms'],
    ['below one second, where only the first token of a stream is known', { use_time: 0, is_stream: true, other: '{"frt":66}' }, '<1 s'],
    ['nothing more exact', { use_time: 0, other: '' }, '<1 s'],
  ])('is %s', (_what, change, text) => {
    expect(durationOf(aLog(change))).toBe(text)
  })
})

describe('a log row', () => {
  it('names its type', () => {
    expect([1, 2, 3, 4, 5].map((type) => typeOf(aLog({ type })).text)).toEqual(['top-up', 'consume', 'admin', 'system', 'error'])
    expect(typeOf(aLog({ type: 2, state: 'refunded', quota: -5 })).text).toBe('refund')
  })

  it('has a time to the first token only when there was one', () => {
    expect([firstTokenOf(withOther({ frt: 320 })), firstTokenOf(withOther({ frt: -1000 })), firstTokenOf(aLog({ other: '' }))]).toEqual([
      320,
      undefined,
      undefined,
    ])
  })

  it('shows the tried channels when there was more than one', () => {
    expect(retryText(withOther({ admin_info: { use_channel: ['4', '2'] } }))).toBe('#4 → #2')
    expect(retryText(withOther({ admin_info: { use_channel: ['4'] } }))).toBeUndefined()
    expect(retryText(withOther({}))).toBeUndefined()
  })

  it('names the upstream model of a mapped request', () => {
    expect(mappedModel(withOther({ is_model_mapped: true, upstream_model_name: 'gpt-4o-2024' }))).toBe('gpt-4o-2024')
    expect(mappedModel(withOther({ upstream_model_name: 'gpt-4o-2024' }))).toBeUndefined()
  })

  it('lists the tokens that have prices of their own', () => {
    expect(tokenParts(withOther({ cache_tokens: 100, audio_output: 7, cache_creation_tokens: 0 }))).toEqual([
      { text: 'cache-read', count: 100 },
      { text: 'audio-out', count: 7 },
    ])
  })

  it('names a test of a channel in the language of the reader', () => {
    const t = ((key: string) => texts[key as 'channel-test']) as unknown as TFunction<'logs'> // it needs one text
    expect(tokenNameOf(aLog({ token_id: 0, token_name: '模型测试' }), t)).toBe('Channel test')
    expect(tokenNameOf(aLog({ token_id: 3, token_name: '模型测试' }), t)).toBe('模型测试')
  })

  it('survives a broken or empty other', () => {
    expect([otherOf(aLog({ other: '{' })), otherOf(aLog({ other: 'null' })), otherOf(aLog({ other: '' }))]).toEqual([{}, {}, {}])
  })

  it('is a request when it has a model', () => {
    expect([isRequest(aLog()), isRequest(aLog({ model_name: '', type: 3 }))]).toEqual([true, false])
  })
})

describe('the time range', () => {
  const now = 1_750_050_000
  const midnight = 1_750_032_000

  it.each([
    ['without a choice is today to one hour ahead', {}, midnight, now + 3600],
    ['last hour', { preset: 'hour' }, now - 3600, now + 3600],
    ['seven days include today', { preset: 'seven-days' }, midnight - 6 * 86_400, now + 3600],
    ['all time has no limits', { preset: 'all' }, 0, 0],
    ['one’s own is taken as it is', { start: 100, end: 200, preset: 'hour' }, 100, 200],
    ['one’s own may be open at an end', { start: 100 }, 100, 0],
  ] as const)('%s', (_what, search, start_timestamp, end_timestamp) => {
    expect(rangeOf(search, now, midnight)).toEqual({ start_timestamp, end_timestamp })
  })

  it('shows which choice it is', () => {
    expect([presetOf({}), presetOf({ preset: 'hour' }), presetOf({ end: 5 })]).toEqual(['today', 'hour', 'custom'])
  })
})

describe('the address of the log page', () => {
  it('keeps what it understands', () => {
    expect(
      parseLogSearch({ type: '2', model_name: 'gpt-4o', channel: '7', page: '2', open: '9', at: '100', preset: 'hour', username: '' }),
    ).toEqual({
      type: 2,
      model_name: 'gpt-4o',
      channel: 7,
      page: 2,
      open: 9,
      at: 100,
      preset: 'hour',
    })
    expect(parseLogSearch({ type: '9', preset: 'year', page: '1', channel: 'x' })).toEqual({})
  })
})
