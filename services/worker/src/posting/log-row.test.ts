import { describe, expect, it } from 'vitest'
import type { UsageEventBody } from '@tollgate/contracts/usage-event'
import { aBody } from '../testing/worker-world.ts'
import { contentOf, toLogRow } from './log-row.ts'
import type { PostedEvent } from './posted-event.ts'

const rowOf = (over: Partial<UsageEventBody>, event: Partial<PostedEvent> = {}) => {
  const row = toLogRow({
    stream_id: '1-1',
    n: 1,
    request_id: '20261120x',
    kind: 'final',
    charge: 50,
    token_charge: 50,
    at: 1_790_000_000_999,
    user_id: 1,
    token_id: 1,
    body: aBody(over),
    ...event,
  })
  // `other` is JSON of our own making.
  return { ...row, other: JSON.parse(row.other) as Record<string, unknown> }
}
const { quote, usage, explanation } = aBody()
const priced = {
  mode: 'price',
  model: 'm',
  group: 'vip',
  group_ratio: 0.5,
  quota_per_unit: 500_000,
  price_version: 1,
  model_price: 0.04,
} as const

describe('log row', () => {
  it.each([
    ['by usage', { quote, usage }, '模型倍率 2.00，补全倍率 3.00，分组倍率 1.00'],
    ['per call', { quote: priced, usage }, '模型价格 0.04，分组倍率 0.50'],
    [
      'with audio',
      { quote, usage: { ...usage, audio_in: 3 } },
      '模型倍率 2.00，补全倍率 3.00，音频倍率 1.00，音频补全倍率 1.00，分组倍率 1.00',
    ],
    [
      'without tokens',
      { quote, usage: { ...usage, prompt_tokens: 0, completion_tokens: 0 } },
      '模型倍率 2.00，补全倍率 3.00，分组倍率 1.00（可能是上游超时）',
    ],
  ])('says how it was priced: %s', (_name, body, text) => {
    expect(contentOf(body)).toBe(text)
  })

  it('tells consoles a price per call by model_price, and usage by −1', () => {
    expect(rowOf({ quote: priced }).other).toMatchObject({ model_price: 0.04, model_ratio: 0, group_ratio: 0.5 })
    expect(rowOf({}).other).toMatchObject({ model_price: -1, model_ratio: 2 })
  })

  it('names the mapped model, the reasoning effort, cache and audio where there are any', () => {
    expect(rowOf({ upstream_model: 'real', reasoning_effort: 'high' }).other).toMatchObject({
      is_model_mapped: true,
      upstream_model_name: 'real',
      reasoning_effort: 'high',
    })
    expect(rowOf({ usage: { ...usage, cache_read: 4, cache_write: 5, audio_in: 1, audio_out: 2 } }).other).toMatchObject({
      cache_tokens: 4,
      cache_creation_tokens: 5,
      cache_creation_ratio: 1.25,
      audio: true,
      audio_input: 1,
      audio_output: 2,
      text_input: 10,
    })
    expect(rowOf({}).other).not.toHaveProperty('is_model_mapped')
  })

  it('lists the channels in the order they were tried', () => {
    const attempt = { channel_name: 'c', channel_type: 1, upstream_model: 'm', started_ms: 0, ended_ms: 1, outcome: 'network' } as const
    const attempts = [
      { ...attempt, channel_id: 9 },
      { ...attempt, channel_id: 4 },
    ]

    expect(rowOf({ explanation: { ...explanation, attempts } }).other).toMatchObject({ admin_info: { use_channel: ['9', '4'] } })
    expect(rowOf({ channel_id: 0 }).other).toMatchObject({ admin_info: { use_channel: [] } })
  })

  it('is of the second the script ran, and late whoever corrected it', () => {
    expect(rowOf({}).created_at).toBe(1_790_000_000)
    expect(rowOf({ state: 'settled' }, { kind: 'late', charge: -5 })).toMatchObject({ state: 'late', quota: -5, type: 2 })
    expect(rowOf({ state: 'released', ended_by: 'client-gone' })).toMatchObject({
      type: 5,
      content: 'client closed the connection before the first byte',
    })
  })
})
