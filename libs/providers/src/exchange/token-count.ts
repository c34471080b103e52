import { decodeCountAsk, encodeSame } from '../dialects/anthropic-messages/request.ts'
import { dialects } from '../dialects/index.ts'
import { decodeGeminiMethodAsk, encodeGeminiMethodBody, readGeminiMethodAnswer, toGeminiTokenCount } from '../dialects/gemini/embeddings.ts'
import { isObject, parseJson } from '../json.ts'
import type { EncodeInput, Operation, PlanInput, WholeRead } from './operation.ts'
import type { Wire } from './wire.ts'

type Counting = Pick<Operation, 'name' | 'readAsk' | 'answerHere'> & {
  readonly wire: Wire
  readonly vendor: (typeof dialects)['gemini' | 'anthropic-messages']['vendor']
  encode(input: PlanInput, encoding: EncodeInput): Buffer
  /** Why it is no count; undefined: it is one. */
  findFault(body: unknown): Extract<WholeRead, { kind: 'failed' }> | undefined
}

/** POST /v1/messages/count_tokens: https://platform.claude.com/docs/en/api/messages/count_tokens */
export const messageTokenCount: Operation = counting({
  name: 'message-token-count',
  wire: 'anthropic-token-count',
  vendor: dialects['anthropic-messages'].vendor,
  readAsk: (body) => decodeCountAsk(body),
  encode: ({ ask, raw }, { upstream_model, param_override, patch }) =>
    encodeSame({ raw, body: ask.body, upstream_model, is_stream: false, param_override, patch }),
  findFault: (body) => (isObject(body) && typeof body['input_tokens'] === 'number' ? undefined : NO_COUNT),
  answerHere: (tokens) => ({ input_tokens: tokens }),
})

/** POST /v1beta/models/{model}:countTokens: https://ai.google.dev/api/tokens */
export const geminiTokenCount: Operation = counting({
  name: 'gemini-token-count',
  wire: 'gemini-token-count',
  vendor: dialects.gemini.vendor,
  readAsk: (body, route) => decodeGeminiMethodAsk('countTokens', body, route),
  encode: ({ ask, raw }, { upstream_model, param_override, patch }) =>
    encodeGeminiMethodBody('countTokens', { raw, body: ask.body, upstream_model, is_stream: false, param_override, patch }),
  findFault: (body) => {
    const read = readGeminiMethodAnswer('countTokens', body)
    return read.kind === 'failed' ? read : undefined
  },
  answerHere: toGeminiTokenCount,
})

const NO_COUNT = { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no token count' } } as const

/** Counting is free: a vendor of the format is asked where there is one, else our estimate answers. */
function counting({ wire, vendor, encode, findFault, ...said }: Counting): Operation {
  return {
    ...said,
    body: 'json',
    isFree: true,
    wireFor: (wires) => (wires.includes(wire) ? wire : undefined),
    plan: (_, input) => ({
      wire,
      isSame: true,
      media: () => [],
      encode: (encoding) => ({ body: encode(input, encoding), content_type: 'application/json', loss: [] }),
      streamType: () => undefined,
      openStream: () => {
        throw new Error('a count has no stream')
      },
      readWhole: (bytes, content_type) =>
        findFault(parseJson(bytes.toString())) ?? {
          kind: 'answer',
          bytes,
          content_type: content_type || 'application/json',
          texts: [],
          tool_texts: [],
          loss: [],
          usage: undefined,
          raw_usage: undefined,
          finish: undefined,
        },
      decodeError: (status, body) => vendor.decodeError(status, body),
    }),
  }
}
