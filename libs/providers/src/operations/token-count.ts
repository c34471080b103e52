import { decodeTokenCountRequest, encodePassThrough } from '../chat/formats/anthropic-messages/request.ts'
import { cachedContentIn } from '../chat/formats/gemini/cached-content.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import {
  decodeGeminiMethodRequest,
  encodeGeminiMethodBody,
  readGeminiMethodAnswer,
  toGeminiTokenCount,
} from '../chat/formats/gemini/embeddings.ts'
import { isObject, parseJson, type JsonObject } from '../json.ts'
import type { EncodeInput, Operation, TranslatorInput, WholeRead } from '../calls/operation.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import { encodeResponseBody } from './response-body.ts'

type TokenCountCall = Pick<Operation, 'name' | 'readRequest' | 'localAnswer'> & {
  /** The vendors' calls that count, the client's own first. */
  readonly formats: readonly ApiFormat[]
  readonly vendor: (typeof chatCodecs)['gemini' | 'anthropic-messages' | 'openai-responses']['vendor']
  encode(input: TranslatorInput, encoding: EncodeInput, format: ApiFormat): Buffer
  /** The answer in the client's form: the bytes themselves where they have it; a failure if there is no count. */
  read(bytes: Buffer, format: ApiFormat): Buffer | Extract<WholeRead, { kind: 'failed' }>
}

/**
 * POST /v1/messages/count_tokens: https://platform.claude.com/docs/en/api/messages/count_tokens · Bedrock counts what InvokeModel would get:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html
 */
export const messageTokenCount: Operation = tokenCount({
  name: 'message-token-count',
  formats: ['anthropic-token-count', 'bedrock-token-count'],
  vendor: chatCodecs['anthropic-messages'].vendor,
  readRequest: (body, route) => decodeTokenCountRequest(body, route),
  encode: ({ request, raw }, { upstream_model, param_override, patch }, format) => {
    const body = encodePassThrough({ raw, body: request.body, upstream_model, is_stream: false, param_override, patch })
    return format === 'bedrock-token-count' ? toInvoked(body) : body
  },
  read: (bytes, format) => {
    const name = format === 'bedrock-token-count' ? 'inputTokens' : 'input_tokens'
    const body = parseJson(bytes.toString())
    const count = isObject(body) ? body[name] : undefined
    if (typeof count !== 'number') return NO_COUNT
    return name === 'input_tokens' ? bytes : Buffer.from(JSON.stringify({ input_tokens: count }))
  },
  localAnswer: (tokens) => ({ input_tokens: tokens }),
})

const responses = chatCodecs['openai-responses']

/** POST /v1/responses/input_tokens: https://developers.openai.com/api/reference/resources/responses/subresources/input_tokens */
export const responseTokenCount: Operation = tokenCount({
  name: 'response-token-count',
  formats: ['openai-token-count'],
  vendor: responses.vendor,
  readRequest: (body, route) => {
    const read = responses.client.decodeRequest(body, route)
    if (read.kind !== 'ok') return read
    const { state } = read.request
    // Nothing is made that a later request could continue.
    return {
      kind: 'ok',
      request: { ...read.request, is_stream: false, ...(state === undefined ? {} : { state: { ...state, is_stored: false } }) },
    }
  },
  encode: encodeResponseBody,
  read: (bytes) => {
    const body = parseJson(bytes.toString())
    return isObject(body) && typeof body['input_tokens'] === 'number' ? bytes : NO_COUNT
  },
  localAnswer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
})

/** POST /v1beta/models/{model}:countTokens: https://ai.google.dev/api/tokens */
export const geminiTokenCount: Operation = tokenCount({
  name: 'gemini-token-count',
  formats: ['gemini-token-count'],
  vendor: chatCodecs.gemini.vendor,
  readRequest: (body, route) => {
    const decoded = decodeGeminiMethodRequest('countTokens', body, route)
    const cached_content = isObject(body) ? cachedContentIn(body) : undefined
    if (decoded.kind !== 'ok' || cached_content === undefined) return decoded
    return { ...decoded, request: { ...decoded.request, cached_content } }
  },
  encode: ({ request, raw }, { upstream_model, param_override, patch }) =>
    encodeGeminiMethodBody('countTokens', { raw, body: request.body, upstream_model, is_stream: false, param_override, patch }),
  read: (bytes) => {
    const read = readGeminiMethodAnswer('countTokens', parseJson(bytes.toString()))
    return read.kind === 'failed' ? read : bytes
  },
  localAnswer: toGeminiTokenCount,
})

const NO_COUNT = { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no token count' } } as const

/** The body of a call that would not be sent; a model is asked for one token, since InvokeModel requires a limit. */
function toInvoked(body: Buffer): Buffer {
  const invoked = { max_tokens: 1, ...objectOf(body) }
  return Buffer.from(JSON.stringify({ input: { invokeModel: { body: Buffer.from(JSON.stringify(invoked)).toString('base64') } } }))
}

function objectOf(bytes: Buffer): JsonObject {
  const body = parseJson(bytes.toString())
  return isObject(body) ? body : {}
}

/** Counting is free: a vendor of the format answers it, otherwise the gateway's own estimate. */
function tokenCount({ formats: known, vendor, encode, read, ...given }: TokenCountCall): Operation {
  return {
    ...given,
    body: 'json',
    isFree: true,
    formatFor: (formats) => known.find((format) => formats.includes(format)),
    createTranslator: (format, input) => ({
      format,
      isSameFormat: true,
      media: () => [],
      encode: (encoding) => ({ body: encode(input, encoding, format), content_type: 'application/json', warnings: [] }),
      streamType: () => undefined,
      openStream: () => {
        throw new Error('a token count has no stream')
      },
      readWhole: (answered) => {
        const bytes = read(answered, format)
        if (!Buffer.isBuffer(bytes)) return bytes
        return {
          kind: 'answer',
          bytes,
          content_type: 'application/json',
          texts: [],
          tool_texts: [],
          warnings: [],
          usage: undefined,
          raw_usage: undefined,
          finish: undefined,
        }
      },
      decodeError: (status, body) => vendor.decodeError(status, body),
    }),
  }
}
