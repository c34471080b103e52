import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeUpstreamError, maskKeys, openAiErrorOf, renderOpenAiError, renderOpenAiStreamError } from './errors.ts'
import { readEvents } from '../../whole-answer.ts'
import { decodeChatAnswer } from './decoder.ts'
import { toOpenAiUsage, usageFromOpenAi } from './usage.ts'

const fixture = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '__fixtures__', name), 'utf8'))

describe('usageFromOpenAi', () => {
  it.each([
    ['plain', { prompt_tokens: 10, completion_tokens: 5 }, { text_in: 10, text_out: 5 }],
    ['cached', { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } }, { text_in: 6, cache_read: 4 }],
    [
      'cached and written',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 } },
      { text_in: 3, cache_read: 4, cache_write: 3 },
    ],
    [
      'audio both ways',
      {
        prompt_tokens: 10,
        completion_tokens: 9,
        prompt_tokens_details: { audio_tokens: 8 },
        completion_tokens_details: { audio_tokens: 6 },
      },
      { text_in: 2, audio_in: 8, text_out: 3, audio_out: 6 },
    ],
    ['images', { prompt_tokens: 10, completion_tokens: 0, prompt_tokens_details: { image_tokens: 7 } }, { text_in: 3, image_in: 7 }],
    [
      'reasoning inside',
      { prompt_tokens: 1, completion_tokens: 9, total_tokens: 10, completion_tokens_details: { reasoning_tokens: 6 } },
      { text_out: 9, reasoning: 6, completion_tokens: 9 },
    ],
    [
      'reasoning apart, as the total says',
      { prompt_tokens: 1, completion_tokens: 3, total_tokens: 10, completion_tokens_details: { reasoning_tokens: 6 } },
      { text_out: 9, reasoning: 6, completion_tokens: 9 },
    ],
    ['DeepSeek’s cache hits', { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 9 }, { text_in: 1, cache_read: 9 }],
    ['Moonshot’s cached tokens', { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 9 }, { text_in: 1, cache_read: 9 }],
    [
      'more cached than there is',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 99 } },
      { text_in: 0, cache_read: 10 },
    ],
    [
      'null for the details',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: null, completion_tokens_details: null },
      { text_in: 10 },
    ],
    ['an explicit zero on one side', { prompt_tokens: 10, completion_tokens: 0 }, { text_in: 10, text_out: 0 }],
  ])('reads %s', (_, raw, expected) => {
    expect(usageFromOpenAi(raw)).toMatchObject({ ...expected, source: 'upstream' })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['two zeros', { prompt_tokens: 0, completion_tokens: 0 }],
    ['texts that are no numbers', { prompt_tokens: 'five', completion_tokens: '1.5x' }],
    ['negative numbers', { prompt_tokens: -5, completion_tokens: -1 }],
  ])('is undefined for %s', (_, raw) => {
    expect(usageFromOpenAi(raw)).toBeUndefined()
  })

  it.each([
    ['a number as text', { prompt_tokens: '12', completion_tokens: 3 }, [12, 3], undefined],
    ['a prompt that follows from the total', { completion_tokens: 3, total_tokens: 15 }, [12, 3], undefined],
    ['an answer that follows from the total', { prompt_tokens: 12, completion_tokens: null, total_tokens: 15 }, [12, 3], undefined],
    ['a prompt that is not stated', { prompt_tokens: null, completion_tokens: 3 }, [0, 3], ['prompt']],
    ['a negative answer', { prompt_tokens: 12, completion_tokens: -1 }, [12, 0], ['completion']],
  ])('reads %s', (_, raw, [prompt_tokens, completion_tokens], missing) => {
    const usage = usageFromOpenAi(raw)

    expect(usage).toMatchObject({ prompt_tokens, completion_tokens })
    expect(usage?.missing).toEqual(missing)
  })

  it('always gives disjoint classes that sum to what was stated', () => {
    const count = fc.oneof(fc.nat(1_000_000), fc.constantFrom(null, undefined, -3, 1.7, 'x'))
    const raw = fc.record({
      prompt_tokens: fc.nat(1_000_000),
      completion_tokens: fc.nat(1_000_000),
      total_tokens: count,
      prompt_cache_hit_tokens: count,
      prompt_tokens_details: fc.record({ cached_tokens: count, audio_tokens: count, image_tokens: count, cache_write_tokens: count }),
      completion_tokens_details: fc.record({ audio_tokens: count, reasoning_tokens: count }),
    })
    fc.assert(
      fc.property(raw, (given) => {
        const usage = usageFromOpenAi(given)
        if (usage === undefined) return given.prompt_tokens === 0 && given.completion_tokens === 0
        const { text_in, cache_read, cache_write, image_in, audio_in, text_out, audio_out, reasoning } = usage
        expect(text_in + cache_read + cache_write + image_in + audio_in).toBe(usage.prompt_tokens)
        expect(text_out + audio_out).toBe(usage.completion_tokens)
        expect(reasoning).toBeLessThanOrEqual(text_out)
        expect([text_in, cache_read, cache_write, image_in, audio_in, text_out, audio_out, reasoning].filter((count) => count < 0)).toEqual(
          [],
        )
        return true
      }),
    )
  })

  it('survives encoding and decoding', () => {
    const usage = usageFromOpenAi({
      prompt_tokens: 10,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    })
    if (usage === undefined) throw new Error('the test states a usage')

    expect(usageFromOpenAi(toOpenAiUsage(usage))).toEqual(usage)
  })
})

const readChatAnswer = (body: unknown) => readEvents(decodeChatAnswer(body, 'pass-through'))

describe('a whole answer that passes through', () => {
  it('takes usage, texts and finish', () => {
    const body = {
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'Hi',
            reasoning_content: 'hm',
            tool_calls: [{ function: { name: 'f', arguments: '{}' } }],
          },
          finish_reason: 'tool_calls',
        },
        { message: { role: 'assistant', content: null, refusal: 'No' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    }

    expect(readChatAnswer(body)).toMatchObject({
      kind: 'answer',
      texts: ['hm', 'Hi', 'No'],
      tool_texts: ['f', '{}'],
      finish: 'tools',
      usage: { prompt_tokens: 3 },
      raw_usage: '{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}',
    })
  })

  it('has no usage if it is missing', () => {
    expect(readChatAnswer({ choices: [] })).toMatchObject({ kind: 'answer', usage: undefined, raw_usage: undefined })
  })

  it.each([
    [
      'an error object in a 200',
      { error: { message: 'busy', type: 'rate_limit_error' } },
      { kind: 'limited', status: 429, message: 'busy' },
    ],
    ['a status in its code', { error: { message: 'broken', code: 503 } }, { kind: 'refused', status: 503 }],
    ['no choices', { hello: 1 }, { kind: 'malformed' }],
    ['a list', [], { kind: 'malformed' }],
  ])('never takes %s for an answer', (_, body, failure) => {
    expect(readChatAnswer(body)).toMatchObject({ kind: 'failed', failure })
  })

  it('treats an error of null as none', () => {
    expect(readChatAnswer({ error: null, choices: [{ message: { content: 'x' } }] }).kind).toBe('answer')
  })
})

describe('decodeUpstreamError', () => {
  it('keeps the error object of the format', () => {
    const failure = decodeUpstreamError(400, fixture('error-context-too-long.json'))

    expect(failure).toMatchObject({
      kind: 'refused',
      status: 400,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
    })
    expect(openAiErrorOf(failure)).toEqual({
      message:
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    })
  })

  it('masks quoted keys', () => {
    const failure = decodeUpstreamError(401, JSON.stringify(fixture('error-invalid-key.json')))

    expect(failure).toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect(JSON.stringify(openAiErrorOf(failure))).not.toContain('wxyz')
    expect(maskKeys('task-force risk-management')).toBe('task-force risk-management')
  })

  it.each([
    ['429 is limited', 429, { error: { message: 'slow down' } }, { kind: 'limited', status: 429 }],
    ['a numeric code stays one', 402, { error: { message: 'pay', code: 402 } }, { code: '402' }],
    [
      'error as a text',
      400,
      { error: 'bad key' },
      { message: 'bad key', type: 'upstream_error', code: 'bad_response_status_code', param: '400' },
    ],
    ['message', 400, { message: 'a', msg: 'b' }, { message: 'a' }],
    ['msg', 400, { msg: 'b' }, { message: 'b' }],
    ['err', 400, { err: 'c' }, { message: 'c' }],
    ['error_msg', 400, { error_msg: 'd' }, { message: 'd' }],
    ['header.message', 400, { header: { message: 'e' } }, { message: 'e' }],
    ['response.error.message', 400, { response: { error: { message: 'f' } } }, { message: 'f' }],
    ['an error object without a text', 400, { error: { code: 1 } }, { message: 'bad response status code 400' }],
    ['a page of HTML', 502, '<html>at http://10.0.0.1/</html>', { message: 'bad response status code 502: at ***', kind: 'refused' }],
    ['an empty body', 503, '', { message: 'bad response status code 503' }],
    ['nothing of use in a 200', 200, {}, { status: 502, message: 'bad response status code 502' }],
  ])('%s', (_, status, body, expected) => {
    expect(decodeUpstreamError(status, body)).toMatchObject(expected)
  })
})

describe('the error shape', () => {
  const error = { message: 'no', type: 'new_api_error', code: 'x' }

  it('always has its four keys', () => {
    expect(renderOpenAiError(error)).toEqual({ error: { message: 'no', type: 'new_api_error', param: null, code: 'x' } })
  })

  it('is one event inside a stream', () => {
    expect(renderOpenAiStreamError({ ...error, message: 'a\n\nb' })).toBe(
      'data: {"error":{"message":"a\\n\\nb","type":"new_api_error","code":"x","param":null}}\n\n',
    )
  })

  it('of a failure without a body is our own', () => {
    expect(openAiErrorOf({ kind: 'network', message: 'gone' })).toEqual({ message: 'gone', type: 'upstream_error', param: '', code: null })
  })
})
