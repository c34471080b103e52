import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import { texts } from '../../i18n/en/logs.ts'
import { aLog } from '../../testing/a-log.ts'
import { detailsText } from './details.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', ns: ['logs'], resources: { en: { logs: texts } }, interpolation: { escapeValue: false } })
const t = i18n.getFixedT('en', 'logs')
const chinese = '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00'

describe('details of an entry for an English reader', () => {
  it.each([
    [
      'ratios',
      { other: '{"model_ratio":1.25,"completion_ratio":4,"group_ratio":1,"model_price":-1}' },
      'Model 1.25, completion 4, group 1',
    ],
    ['a price per call', { other: '{"model_price":0.02,"group_ratio":2}' }, 'Model price 0.02, group 2'],
    [
      'no tokens at all',
      { other: '{"model_ratio":1,"completion_ratio":1,"group_ratio":1,"model_price":-1}', prompt_tokens: 0, completion_tokens: 0 },
      'Model 1, completion 1, group 1 (perhaps upstream timed out)',
    ],
    ['an entry without numbers', { other: '' }, chinese],
    ['an error in Chinese', { type: 5, other: '{"error_code":"no_channel","status_code":503}' }, '503 no_channel'],
  ])('tells %s', (_name, change, text) => {
    expect(detailsText(aLog({ content: chinese, ...change }), t)).toBe(text)
  })

  it('keeps an error that upstream told in English', () => {
    const log = aLog({ type: 5, content: 'upstream failed', other: '{"error_code":"x","status_code":500}' })

    expect(detailsText(log, t)).toBe('upstream failed')
  })
})
