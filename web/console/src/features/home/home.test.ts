import { describe, expect, it } from 'vitest'
import { nextStep, stepStates } from '../../lib/first-run.ts'
import { aFirstRun } from '../../testing/factories.ts'
import { checkChannel, modelsOf, toNewChannel } from './channel-draft.ts'
import { readOperatorContent } from '../../lib/operator-content.ts'
import { toPriceChange, withEntry } from '../../lib/model-prices.ts'

describe('readOperatorContent', () => {
  it.each([
    ['nothing', ' \n', 'none'],
    ['an https address', ' https://site.example/page?a=1 ', 'frame'],
    ['an http address is text', 'http://site.example', 'markup'],
    ['an address inside a sentence', 'https://site.example is ours', 'markup'],
    ['a script’s address', 'javascript:alert(1)', 'markup'],
    ['Markdown', '# Hello', 'markup'],
  ])('reads %s', (_why, text, kind) => {
    expect(readOperatorContent(text).kind).toBe(kind)
  })
})

describe('the first-run steps', () => {
  const channel = { id: 1, name: 'a', model: 'm' }
  const token = { id: 1, name: 't' }

  it.each([
    ['an empty gateway begins with the channel', aFirstRun(), 'channel'],
    ['a new channel is tested next', aFirstRun({ channel }), 'test'],
    ['a tested one needs a price', aFirstRun({ channel, tested_channel: { id: 1, time_ms: 9 } }), 'price'],
    [
      'a model without a price keeps the price open',
      aFirstRun({ channel, tested_channel: { id: 1, time_ms: 9 }, priced_model: 'm', unpriced_models: ['n'] }),
      'price',
    ],
    ['then a token', aFirstRun({ channel, tested_channel: { id: 1, time_ms: 9 }, priced_model: 'm' }), 'token'],
    ['then the request', aFirstRun({ channel, tested_channel: { id: 1, time_ms: 9 }, priced_model: 'm', token }), 'request'],
  ])('%s', (_why, run, step) => {
    expect(nextStep(stepStates(run))).toBe(step)
  })

  it('lets an untested channel be used', () => {
    expect(stepStates(aFirstRun({ channel, priced_model: 'm', token })).request).toBe('open')
  })

  it('keeps the request waiting without a price', () => {
    expect(stepStates(aFirstRun({ channel, token })).request).toBe('waiting')
  })

  it('ends when the request is here', () => {
    const run = aFirstRun({
      channel,
      tested_channel: { id: 1, time_ms: 9 },
      priced_model: 'm',
      token,
      request: { id: 1, created_at: 1, model_name: 'm' },
    })

    expect(nextStep(stepStates(run))).toBeUndefined()
  })
})

describe('toPriceChange', () => {
  it.each([
    ['the usual small model', '0.15', '0.6', { kind: 'ratios', ratio: 0.075, completion: 4 }],
    ['a third is cut after six places', '3', '1', { kind: 'ratios', ratio: 1.5, completion: 0.333333 }],
    ['free output', '1', '0', { kind: 'ratios', ratio: 0.5, completion: 0 }],
    ['an input price of 0', '0', '1', { kind: 'invalid', reason: 'zero' }],
    ['no number', 'abc', '1', { kind: 'invalid', reason: 'not-a-number' }],
    ['an empty field', '', '1', { kind: 'invalid', reason: 'not-a-number' }],
    ['a negative price', '-1', '1', { kind: 'invalid', reason: 'not-a-number' }],
  ])('reads dollars per million tokens: %s', (_why, input, output, change) => {
    expect(toPriceChange({ kind: 'tokens', input, output })).toEqual(change)
  })

  it.each([
    ['0.02', { kind: 'price', price: 0.02 }],
    ['0', { kind: 'invalid', reason: 'zero' }],
  ])('reads %s dollars per call', (each, change) => {
    expect(toPriceChange({ kind: 'call', each })).toEqual(change)
  })
})

describe('withEntry', () => {
  it('keeps every other model', () => {
    expect(JSON.parse(withEntry('{"a":1}', 'b', 2))).toEqual({ a: 1, b: 2 })
  })

  it.each(['[1]', 'null', '"text"', 'not json'])('refuses to overwrite %s', (text) => {
    expect(() => withEntry(text, 'b', 2)).toThrow()
  })
})

describe('the first channel', () => {
  const draft = { type: 1, name: ' A ', key: ' sk-1 ', base_url: 'https://a.example/ ', models: 'm1, m2，m1\nm3' }

  it('is sent trimmed, each model once', () => {
    expect(toNewChannel(draft)).toEqual({
      type: 1,
      name: 'A',
      key: 'sk-1',
      base_url: 'https://a.example',
      models: 'm1,m2,m3',
      group: 'default',
      auto_ban: 1,
    })
  })

  it.each([
    ['no name', { ...draft, name: ' ' }, false, 'channel-name-and-key'],
    ['no key', { ...draft, key: '' }, false, 'channel-name-and-key'],
    ['no model', { ...draft, models: ' , ' }, false, 'channel-no-model'],
    ['no address where one is needed', { ...draft, base_url: '' }, true, 'channel-address-needed'],
    ['nothing wrong', draft, true, undefined],
  ])('is refused for %s', (_why, wrong, needsAddress, reason) => {
    expect(checkChannel(wrong, needsAddress)).toBe(reason)
  })

  it('counts models', () => {
    expect(modelsOf('')).toEqual([])
  })
})
