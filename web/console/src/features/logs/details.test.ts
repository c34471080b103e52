import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import { texts as english } from '../../i18n/en/logs.ts'
import { texts as chineseTexts } from '../../i18n/zh/logs.ts'
import { aLog } from '../../testing/log-factories.ts'
import { detailsText, dollarsText } from './details.ts'

const i18n = createInstance()
await i18n.init({
  lng: 'en',
  ns: ['logs'],
  resources: { en: { logs: english }, zh: { logs: chineseTexts } },
  interpolation: { escapeValue: false },
})
const t = i18n.getFixedT('en', 'logs')
const mark = (text: string): string => `vendor: ${text}`
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
    [
      'the audio of a realtime session',
      {
        other:
          '{"ws":true,"model_ratio":1,"completion_ratio":4,"group_ratio":1,"model_price":-1,"audio_input":5,"audio_ratio":20,"audio_completion_ratio":2}',
      },
      'Model 1, completion 4, audio 20, audio completion 2, group 1',
    ],
    [
      'a realtime session without audio',
      { other: '{"ws":true,"model_ratio":1,"completion_ratio":4,"group_ratio":1,"model_price":-1,"audio_input":0}' },
      'Model 1, completion 4, group 1',
    ],
    ['an entry without numbers', { other: '' }, chinese],
    ['an error in Chinese', { type: 5, other: '{"error_code":"no_channel","status_code":503}' }, '503 no_channel'],
  ])('shows %s', (_name, change, text) => {
    expect(detailsText(aLog({ content: chinese, ...change }), t, 'en', mark)).toBe(text)
  })

  it('keeps an error that upstream reported in English', () => {
    const log = aLog({ type: 5, content: 'upstream failed', other: '{"error_code":"x","status_code":500}' })

    expect(detailsText(log, t, 'en', mark)).toBe('500 · upstream failed')
    expect(detailsText({ ...log, other: '{"status_code":500,"is_vendor_message":true}' }, t, 'en', mark)).toBe(
      '500 · vendor: upstream failed',
    )
  })

  it('shows administrators the vendor’s text where the client got ours, in both languages', () => {
    const other = '{"status_code":429,"error_code":"upstream.saturated","admin_info":{"vendor_message":"Rate limit reached"}}'
    const log = aLog({ type: 5, content: chinese, other })

    expect(detailsText(log, t, 'en', mark)).toBe('429 · vendor: Rate limit reached')
    expect(detailsText(log, i18n.getFixedT('zh', 'logs'), 'zh', mark)).toBe('429 · vendor: Rate limit reached')
  })
})

describe('the price of an entry in dollars', () => {
  const zh = i18n.getFixedT('zh', 'logs')

  it.each([
    ['tokens, with the group in it', { model_ratio: 1.25, completion_ratio: 4, group_ratio: 2, model_price: -1 }, '$5.00 / $20.00 per 1M'],
    [
      'cents that binary fractions do not have',
      { model_ratio: 0.135, completion_ratio: 1.1 / 0.27, model_price: -1 },
      '$0.27 / $1.10 per 1M',
    ],
    ['a small price', { model_ratio: 0.01875, completion_ratio: 0, group_ratio: 1, model_price: -1 }, '$0.0375 per 1M'],
    ['a call', { model_price: 0.02, group_ratio: 2 }, '$0.04 per call'],
    ['audio, which needs its ratios', { audio: true, model_ratio: 1, model_price: -1, audio_input: 5 }, undefined],
  ])('is shown for %s', (_name, other, text) => {
    expect(dollarsText(aLog({ other: JSON.stringify(other) }), t, 'en')?.replaceAll('\u00A0', ' ')).toBe(text)
  })

  it('is not shown for what failed or was taken back, and keeps tool calls in Chinese', () => {
    const other = JSON.stringify({ model_ratio: 1, completion_ratio: 2, group_ratio: 1, model_price: -1 })
    const content = '模型倍率 1.00，补全倍率 2.00，分组倍率 1.00，Web Search 调用 2 次'
    expect(dollarsText(aLog({ type: 5, other }), t, 'en')).toBeUndefined()
    expect(dollarsText(aLog({ content, other }), zh, 'zh')).toBe('$2.00\u00A0/\u00A0$4.00 每百万，Web Search 调用 2 次')
  })
})

describe('details of an entry for a Chinese reader', () => {
  const zh = i18n.getFixedT('zh', 'logs')
  const ratios = { model_ratio: 0.075, completion_ratio: 4, group_ratio: 1, model_price: -1 }

  it.each([
    [
      'every decimal of a ratio that the stored sentence rounds',
      { content: '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00', other: JSON.stringify(ratios) },
      '模型倍率 0.075，补全倍率 4，分组倍率 1',
    ],
    [
      'the tool calls after the ratios',
      { content: '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00，Web Search 调用 2 次', other: JSON.stringify(ratios) },
      '模型倍率 0.075，补全倍率 4，分组倍率 1，Web Search 调用 2 次',
    ],
    [
      'the note on a request without tokens once',
      {
        content: '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00（可能是上游超时）',
        other: JSON.stringify(ratios),
        prompt_tokens: 0,
        completion_tokens: 0,
      },
      '模型倍率 0.075，补全倍率 4，分组倍率 1（可能是上游超时）',
    ],
    [
      'a price per call',
      { content: '模型价格 0.01，分组倍率 1.50', other: '{"model_price":0.005,"group_ratio":1.5}' },
      '模型价格 0.005，分组倍率 1.5',
    ],
    [
      'an error with its status',
      { type: 5, content: '无可用渠道', other: '{"error_code":"no_channel","status_code":503}' },
      '503 · 无可用渠道',
    ],
  ])('shows %s', (_name, change, text) => {
    expect(detailsText(aLog(change), zh, 'zh', mark)).toBe(text)
  })
})

describe('an entry about the account, which is stored in Chinese', () => {
  it.each([
    ['新用户注册赠送 ＄0.200000 额度', '$0.20 for signing up'],
    ['新用户注册赠送 100000 点额度', '100000 quota for signing up'],
    ['使用邀请码赠送 ＄1.000000 额度', '$1.00 for using an invitation'],
    ['邀请用户赠送 ＄0.000002 额度', '$0.000002 for inviting a user'],
    ['通过兑换码充值 ＄5.000000 额度，兑换码ID 1', '$5.00 by redemption code 1'],
    ['管理员将用户额度从 ＄-1.500000 额度修改为 ＄20.125000 额度', 'Balance changed by an administrator from -$1.50 to $20.125'],
    ['使用在线充值成功，充值金额: ＄20.000000，支付金额：146.000000', '$20.00 topped up online, 146.00 paid'],
    ['使用在线充值成功，充值金额: ＄20.000000 额度，支付金额：146.000000', '$20.00 topped up online, 146.00 paid'],
    ['在线充值退款，扣除额度: ＄20.000000，订单号：Ttpcbb410', '$20.00 taken back for the refund of order Ttpcbb410'],
    ['构图失败 1723456789，补偿 ＄0.100000 额度', 'Drawing 1723456789 failed, $0.10 given back'],
    ['异步任务执行失败 task_9f，补偿 ＄2.000000', 'Task task_9f failed, $2.00 given back'],
    ['用户自己写的文字', '用户自己写的文字'],
  ])('%s is read as %s', (content, text) => {
    const log = aLog({ type: 4, content, other: '' })

    expect(detailsText(log, t, 'en', mark)).toBe(text)
    expect(detailsText(log, i18n.getFixedT('zh', 'logs'), 'zh', mark)).toBe(content)
  })
})
