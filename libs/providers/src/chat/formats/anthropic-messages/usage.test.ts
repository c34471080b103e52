import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeUsage, toAnthropicUsage, usageFromAnthropic } from './usage.ts'

const none = { image_in: 0, audio_in: 0, audio_out: 0, reasoning: 0, source: 'upstream' }

describe('usageFromAnthropic', () => {
  it.each([
    ['nothing', undefined],
    ['a text', 'x'],
    ['zeros', { input_tokens: 0, output_tokens: 0 }],
    ['nulls', { input_tokens: null, output_tokens: null, cache_creation: null, iterations: null }],
  ])('is undefined for %s', (_, raw) => {
    expect(usageFromAnthropic(raw)).toBeUndefined()
  })

  it('separates both caches from the input, and their lifetimes from each other', () => {
    expect(
      usageFromAnthropic({
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 60,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 40 },
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 3 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
      }),
    ).toEqual({
      ...none,
      text_in: 10,
      text_out: 7,
      cache_read: 100,
      cache_write: 20,
      cache_write_1h: 40,
      reasoning: 3,
      tool_calls: { web_search: 2 },
      prompt_tokens: 170,
      completion_tokens: 7,
    })
  })

  it('takes a cache write without split for five minutes', () => {
    expect(usageFromAnthropic({ input_tokens: 1, cache_creation_input_tokens: 60, output_tokens: 1 })).toMatchObject({
      cache_write: 60,
      prompt_tokens: 61,
    })
  })

  it('adds what the vendor charges separately, and nothing twice', () => {
    const step = (type: string, input_tokens: number, output_tokens: number) => ({
      type,
      input_tokens,
      output_tokens,
      cache_read_input_tokens: 1,
    })

    expect(
      usageFromAnthropic({
        input_tokens: 23_000,
        output_tokens: 1000,
        iterations: [step('compaction', 180_000, 3500), step('message', 23_000, 1000), step('advisor_message', 10, 5)],
      }),
    ).toEqual({
      ...none,
      samplings: [
        { text_in: 180_000, text_out: 3500, cache_read: 1 },
        { text_in: 23_000, text_out: 1000, cache_read: 1 },
        { text_in: 10, text_out: 5, cache_read: 1 },
      ],
      text_in: 203_010,
      text_out: 4505,
      cache_read: 2,
      cache_write: 0,
      prompt_tokens: 203_012,
      completion_tokens: 4505,
    })
  })
})

describe('mergeUsage', () => {
  it('keeps what the end of a stream omits, and takes its totals', () => {
    const early = { input_tokens: 5, cache_read_input_tokens: 3, cache_creation: { ephemeral_1h_input_tokens: 2 }, output_tokens: 1 }

    expect(mergeUsage(early, { input_tokens: null, cache_read_input_tokens: 0, output_tokens: 9 })).toEqual({ ...early, output_tokens: 9 })
    expect(mergeUsage({ input_tokens: 0, output_tokens: 0 }, { input_tokens: 8, output_tokens: 9 })).toEqual({
      input_tokens: 8,
      output_tokens: 9,
    })
  })
})

describe('toAnthropicUsage', () => {
  it('writes the totals', () => {
    const count = fc.nat(1_000_000)
    const raw = fc.record({
      input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation: fc.record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
      output_tokens: fc.integer({ min: 1, max: 1000 }),
      server_tool_use: fc.record({ web_search_requests: fc.nat(3) }),
    })
    fc.assert(
      fc.property(raw, (given) => {
        const usage = usageFromAnthropic(given)

        expect(usage).toBeDefined()
        if (usage !== undefined) expect(usageFromAnthropic(toAnthropicUsage(usage))).toEqual(usage)
      }),
    )
  })
})
