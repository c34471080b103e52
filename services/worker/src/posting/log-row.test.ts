import { describe, expect, it } from 'vitest'
import type { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import { aBody } from '../../test/test-worker.ts'
import { withFacts } from '@tollgate/db/logged-event'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { contentOf, toLogRow, toPackedRow } from './log-row.ts'
import type { PostedEvent } from './posted-event.ts'

const rowOf = (over: Partial<UsageEventBody>, event: Partial<PostedEvent> = {}) => {
  const body = aBody(over)
  const posted: PostedEvent = {
    shard: 0,
    stream_id: '1-1',
    n: 1,
    request_id: '20261120x',
    kind: 'final',
    charge: 50,
    token_charge: 50,
    at: 1_790_000_000_999,
    user_id: 1,
    token_id: 1,
    budgets: '',
    body,
    text: JSON.stringify(body),
    ...event,
  }
  const row = toLogRow(posted)
  expect(withFacts({ event: null, ...toPackedRow(posted) })).toEqual(row)
  // log-row.ts is the only writer of `other`.
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
      'with every decimal',
      { quote: { ...quote, model_ratio: 0.625, group_ratio: 0.1 + 0.2 }, usage },
      '模型倍率 0.625，补全倍率 3.00，分组倍率 0.30',
    ],
    ['far below a cent', { quote: { ...priced, model_price: 0.0000002 }, usage }, '模型价格 0.0000002，分组倍率 0.50'],
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
    [
      'an image',
      { quote: { ...priced, size: '1024x1792', size_ratio: 2, quality: 'hd', count: 1 }, usage },
      '模型价格 0.04，分组倍率 0.50，大小 1024x1792, 品质 hd',
    ],
    [
      'with a tool',
      {
        quote: { ...quote, tools: { web_search_preview: { price: 35, variant: 'medium' } } },
        usage: { ...usage, tool_calls: { web_search_preview: 2 } },
      },
      '模型倍率 2.00，补全倍率 3.00，分组倍率 1.00，Web Search 调用 2 次，上下文大小 medium，调用花费 35000',
    ],
    [
      'by the card of its length',
      { quote: { ...quote, cards: [{ above: 1, model_ratio: 4 }] }, usage },
      '模型倍率 4.00，补全倍率 3.00，分组倍率 1.00',
    ],
    [
      'speech by characters',
      { quote, usage: { ...usage, prompt_tokens: 0, completion_tokens: 0, characters: 5 } },
      '模型倍率 2.00，补全倍率 3.00，分组倍率 1.00',
    ],
  ])('describes the price: %s', (_name, body, text) => {
    expect(contentOf(body)).toBe(text)
  })

  it('has a price per call in model_price, and −1 for usage', () => {
    expect(rowOf({ quote: priced }).other).toMatchObject({ model_price: 0.04, model_ratio: 0, group_ratio: 0.5 })
    expect(rowOf({}).other).toMatchObject({ model_price: -1, model_ratio: 2 })
  })

  it('contains the mapped model, the reasoning effort, cache and audio if present', () => {
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

  it('marks a response of a realtime session, with its text and audio', () => {
    const at = (path: string) => ({ ...explanation, client: { ...explanation.client, path } })

    const { other } = rowOf({ explanation: at('/v1/realtime'), usage: { ...usage, audio_in: 1, audio_out: 0 } })
    expect(other).toMatchObject({ ws: true, audio_input: 1, audio_output: 0, text_input: 10 })
    expect(other).not.toHaveProperty('audio')
    expect(rowOf({ explanation: at('/v1/realtime') }).other).toMatchObject({ ws: true, audio_input: 0 })
    expect(rowOf({ explanation: at('/v1/chat/completions') }).other).not.toHaveProperty('ws')
  })

  it('contains searches, the one-hour cache and a ratio for the user’s group', () => {
    const made = {
      ...quote,
      user_group: 'staff',
      cache_creation_1h_ratio: 2,
      tools: { web_search_preview: { price: 25, at_least: 1 }, file_search: { price: 2.5 } },
    }

    expect(rowOf({ quote: made, usage: { ...usage, cache_write_1h: 9, tool_calls: { file_search: 3 } } }).other).toMatchObject({
      user_group_ratio: 1,
      cache_creation_tokens_1h: 9,
      cache_creation_ratio_1h: 2,
      web_search: true,
      web_search_call_count: 1,
      web_search_price: 25,
      file_search: true,
      file_search_call_count: 3,
      file_search_price: 2.5,
    })
    expect(rowOf({}).other).not.toHaveProperty('web_search')
  })

  it.each([
    ['five minutes', { cache_write: 40 }],
    ['an hour', { cache_write: 0, cache_write_1h: 30 }],
    ['both', { cache_write: 40, cache_write_1h: 30 }],
    ['nothing', { cache_write: 0 }],
  ])('lets existing consoles compute the charge of a Claude request that caches for %s', (_name, written) => {
    const counted = { ...usage, text_in: 10, text_out: 7, cache_read: 25, prompt_tokens: 105, completion_tokens: 7, ...written }
    const total = 35 + counted.cache_write + ('cache_write_1h' in written ? (written.cache_write_1h ?? 0) : 0)
    const made = { ...quote, cache_ratio: 0.1, cache_creation_1h_ratio: 2 }

    const row = rowOf({ is_claude: true, quote: made, usage: { ...counted, prompt_tokens: total } })

    const of = (name: string) => Number(row.other[name])
    const input = row.prompt_tokens + of('cache_tokens') * of('cache_ratio') + of('cache_creation_tokens') * of('cache_creation_ratio')
    const sum = (input + row.completion_tokens * of('completion_ratio')) * of('model_ratio') * of('group_ratio')
    expect(row.prompt_tokens).toBe(10)
    expect(row.other).toMatchObject({ claude: true, cache_tokens: 25 })
    expect(Math.round(sum)).toBe(quotaOf(made, { ...counted, prompt_tokens: total }))
  })

  it('has the characters of speech as prompt tokens', () => {
    expect(rowOf({ usage: { ...usage, text_in: 0, text_out: 0, prompt_tokens: 0, completion_tokens: 0, characters: 5 } })).toMatchObject({
      prompt_tokens: 5,
    })
  })

  it('has the error type, code and status that the client got', () => {
    const failed = { state: 'released', error_type: 'overloaded_error', error_code: 'channel.none', client_status: 503 } as const
    expect(rowOf(failed).other).toMatchObject({ error_type: 'overloaded_error', error_code: 'channel.none', status_code: 503 })
  })

  it('says that the vendor wrote the text of a failed request, also without the names of the operator’s account', () => {
    const attempt = { channel_id: 4, channel_name: 'c', channel_type: 1, upstream_model: 'm', started_ms: 0, ended_ms: 1 } as const
    const textOf = (error_message: string, answered: { readonly status?: number; readonly message: string }) => {
      const attempts = [{ ...attempt, outcome: 'refused' as const, ...answered }]
      return rowOf({ state: 'released', error_message, explanation: { ...explanation, attempts } }).other['is_vendor_message']
    }
    expect(textOf('max_tokens is too large', { status: 400, message: 'max_tokens is too large' })).toBe(true)
    expect(textOf('no quota for project ***', { status: 429, message: 'no quota for project acme-prod-7' })).toBe(true)
    expect(textOf('The upstream did not answer in time', { status: 504, message: 'busy' })).toBeUndefined()
    expect(textOf('connect ECONNREFUSED', { message: 'connect ECONNREFUSED' })).toBeUndefined()
  })

  it('keeps for administrators what the vendor said where the client got a text of ours', () => {
    const attempt = { channel_id: 4, channel_name: 'c', channel_type: 1, upstream_model: 'm', started_ms: 0, ended_ms: 1 } as const
    const shown = (error_message: string, answered: { readonly status?: number; readonly message: string }) => {
      const attempts = [{ ...attempt, outcome: 'limited' as const, ...answered }]
      return rowOf({ state: 'released', error_message, explanation: { ...explanation, attempts } }).other['admin_info']
    }
    const said = 'Rate limit reached for project acme-prod-7'
    expect(shown('All upstream channels are busy', { status: 429, message: said })).toEqual({ use_channel: ['4'], vendor_message: said })
    expect(shown('All upstream channels are busy', { status: 429, message: 'x'.repeat(4000) })).toMatchObject({
      vendor_message: 'x'.repeat(300),
    })
    expect(shown(said, { status: 400, message: said })).toEqual({ use_channel: ['4'] })
    expect(shown('connect ECONNREFUSED', { message: 'connect ECONNREFUSED' })).toEqual({ use_channel: ['4'] })
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

  it('has the time of the script, and state late for a correction', () => {
    expect(rowOf({}).created_at).toBe(1_790_000_000)
    expect(rowOf({ state: 'settled' }, { kind: 'late', charge: -5 })).toMatchObject({ state: 'late', quota: -5, type: 2 })
    expect(rowOf({ state: 'released', ended_by: 'client-disconnected' })).toMatchObject({
      type: 5,
      content: 'client closed the connection before the first byte',
    })
  })
})
