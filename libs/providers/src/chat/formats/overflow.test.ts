import { describe, expect, it } from 'vitest'
import { chatCodecs } from './index.ts'
import { vendorCodecs } from '../../vendor-formats/index.ts'
import { parseJsonObject, type JsonObject } from '../../json.ts'

const anthropic = (message: string, type = 'invalid_request_error') => ({ type: 'error', error: { type, message } })
const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
const openAi = (message: string, code: string | null = null) => ({ error: { message, type: 'invalid_request_error', param: null, code } })

const OVERFLOWS = [
  ['anthropic-messages', 400, anthropic('prompt is too long: 201233 tokens > 200000 maximum')],
  ['anthropic-messages', 413, anthropic('Prompt is too long', 'request_too_large')],
  ['anthropic-messages', 400, anthropic('input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000')],
  ['gemini', 400, google('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')],
  [
    'openai-chat',
    400,
    openAi("This model's maximum context length is 131072 tokens. However, you requested 200000 tokens", 'invalid_request_error'),
  ],
  [
    'openai-chat',
    400,
    { object: 'error', message: "This model's maximum context length is 4096 tokens.", type: 'BadRequestError', code: 400 },
  ],
  ['openai-responses', 400, openAi('Your input exceeds the context window of this model.', 'context_length_exceeded')],
  ['bedrock-converse', 400, { message: 'Input is too long for requested model.' }],
] as const

function shownTo(client: 'openai-chat' | 'openai-responses', vendor: keyof typeof vendorCodecs, status: number, body: unknown): JsonObject {
  const { message, code = '', type = '', param = '', status: real = 0, body: own } = vendorCodecs[vendor].vendor.decodeError(status, body)
  const upstream_body = client === vendor ? own : undefined
  const shown = parseJsonObject(chatCodecs[client].client.renderError({ status: real, message, code, type, param, upstream_body }))
  return { status: real, ...shown }
}

describe('a prompt that is longer than the model’s window', () => {
  it.each(OVERFLOWS)(
    'that %s answers with %s reaches OpenAI’s clients as 400 with the code, in the vendor’s words',
    (vendor, status, body) => {
      const message = 'error' in body ? body.error.message : body.message
      for (const client of ['openai-chat', 'openai-responses'] as const)
        expect(shownTo(client, vendor, status, body)).toMatchObject({
          status: 400,
          error: { code: 'context_length_exceeded', type: 'invalid_request_error', message },
        })
    },
  )

  it('is a failed response with that code in a Responses stream', () => {
    const { message, code = '', type = '' } = vendorCodecs['anthropic-messages'].vendor.decodeError(400, anthropic('prompt is too long'))
    const told = chatCodecs['openai-responses'].client.renderStreamError({ status: 400, message, code, type, param: '' })
    expect(told).toContain('"status":"failed","error":{"code":"context_length_exceeded","message":"prompt is too long"}')
  })

  it('is no 413 for a Messages client of the same vendor', () => {
    const {
      status = 0,
      message,
      code = '',
      type = '',
      body,
    } = vendorCodecs['anthropic-messages'].vendor.decodeError(413, anthropic('prompt is too long: 300000 tokens', 'request_too_large'))
    const told = chatCodecs['anthropic-messages'].client.renderError({ status, message, code, type, param: '', upstream_body: body })
    expect(status).toBe(400)
    expect(parseJsonObject(told)).toMatchObject({ error: { type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens' } })
  })

  it.each([
    ['anthropic-messages', 413, anthropic('Request exceeds the maximum size', 'request_too_large')],
    ['openai-chat', 400, openAi('max_tokens is too large', 'invalid_value')],
    ['openai-chat', 429, openAi('Rate limit: maximum context length is fine', 'rate_limit_exceeded')],
  ] as const)('is not seen in another refusal of %s with %s', (vendor, status, body) => {
    expect(vendorCodecs[vendor].vendor.decodeError(status, body)).toMatchObject({ status })
    expect(vendorCodecs[vendor].vendor.decodeError(status, body).code).not.toBe('context_length_exceeded')
  })
})
