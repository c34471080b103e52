import { decodeTokenCountRequest, encodePassThrough } from '../formats/anthropic-messages/request.ts'
import { chatCodecs } from '../formats/index.ts'
import {
  decodeGeminiMethodRequest,
  encodeGeminiMethodBody,
  readGeminiMethodAnswer,
  toGeminiTokenCount,
} from '../formats/gemini/embeddings.ts'
import { isObject, parseJson } from '../json.ts'
import type { EncodeInput, Operation, TranslatorInput, WholeRead } from './operation.ts'
import type { ApiFormat } from './api-format.ts'

type TokenCountCall = Pick<Operation, 'name' | 'readRequest' | 'localAnswer'> & {
  readonly format: ApiFormat
  readonly vendor: (typeof chatCodecs)['gemini' | 'anthropic-messages']['vendor']
  encode(input: TranslatorInput, encoding: EncodeInput): Buffer
  /** The failure if the response has no count. */
  findFailure(body: unknown): Extract<WholeRead, { kind: 'failed' }> | undefined
}

/** POST /v1/messages/count_tokens: https://platform.claude.com/docs/en/api/messages/count_tokens */
export const messageTokenCount: Operation = tokenCount({
  name: 'message-token-count',
  format: 'anthropic-token-count',
  vendor: chatCodecs['anthropic-messages'].vendor,
  readRequest: (body) => decodeTokenCountRequest(body),
  encode: ({ request, raw }, { upstream_model, param_override, patch }) =>
    encodePassThrough({ raw, body: request.body, upstream_model, is_stream: false, param_override, patch }),
  findFailure: (body) => (isObject(body) && typeof body['input_tokens'] === 'number' ? undefined : NO_COUNT),
  localAnswer: (tokens) => ({ input_tokens: tokens }),
})

/** POST /v1beta/models/{model}:countTokens: https://ai.google.dev/api/tokens */
export const geminiTokenCount: Operation = tokenCount({
  name: 'gemini-token-count',
  format: 'gemini-token-count',
  vendor: chatCodecs.gemini.vendor,
  readRequest: (body, route) => decodeGeminiMethodRequest('countTokens', body, route),
  encode: ({ request, raw }, { upstream_model, param_override, patch }) =>
    encodeGeminiMethodBody('countTokens', { raw, body: request.body, upstream_model, is_stream: false, param_override, patch }),
  findFailure: (body) => {
    const read = readGeminiMethodAnswer('countTokens', body)
    return read.kind === 'failed' ? read : undefined
  },
  localAnswer: toGeminiTokenCount,
})

const NO_COUNT = { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no token count' } } as const

/** Counting is free: a vendor of the format answers it, otherwise the gateway's own estimate. */
function tokenCount({ format, vendor, encode, findFailure, ...given }: TokenCountCall): Operation {
  return {
    ...given,
    body: 'json',
    isFree: true,
    formatFor: (formats) => (formats.includes(format) ? format : undefined),
    createTranslator: (_, input) => ({
      format,
      isSameFormat: true,
      media: () => [],
      encode: (encoding) => ({ body: encode(input, encoding), content_type: 'application/json', warnings: [] }),
      streamType: () => undefined,
      openStream: () => {
        throw new Error('a token count has no stream')
      },
      readWhole: (bytes) =>
        findFailure(parseJson(bytes.toString())) ?? {
          kind: 'answer',
          bytes,
          content_type: 'application/json',
          texts: [],
          tool_texts: [],
          warnings: [],
          usage: undefined,
          raw_usage: undefined,
          finish: undefined,
        },
      decodeError: (status, body) => vendor.decodeError(status, body),
    }),
  }
}
