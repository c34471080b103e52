import { gemini } from '../dialects/gemini/index.ts'
import {
  decodeGeminiMethodAsk,
  encodeGeminiMethodBody,
  readGeminiMethodAnswer,
  type ReadMethodAnswer,
} from '../dialects/gemini/embeddings.ts'
import {
  geminiToOpenAiEmbedAsk,
  geminiToOpenAiEmbeddings,
  openAiToGeminiEmbedAnswer,
  openAiToGeminiEmbeddings,
} from '../dialects/gemini/embeddings-openai.ts'
import { decodeUpstreamError } from '../dialects/openai-chat/errors.ts'
import { parseJsonObject, type JsonObject } from '../json.ts'
import type { EncodeInput, Encoded, Operation, Plan, PlanInput, WholeRead } from './operation.ts'
import { readPlainAnswer, promptUsage } from './plain.ts'
import type { Wire } from './wire.ts'

type Method = 'embedContent' | 'batchEmbedContents'

const WIRES = { embedContent: 'gemini-embed-content', batchEmbedContents: 'gemini-embeddings' } as const satisfies Record<Method, Wire>

/** Google's embeddings, from vendors of its own format or OpenAI's: https://ai.google.dev/api/embeddings */
export function geminiEmbeddings(method: Method): Operation {
  return {
    name: 'gemini-embeddings',
    body: 'json',
    readAsk: (body, route) => {
      const read = decodeGeminiMethodAsk(method, body, route)
      return read.kind === 'ok' ? { kind: 'ok', ask: { ...read.ask, max_tokens: 0 } } : read
    },
    wireFor: (wires) => ([WIRES[method], 'openai-embeddings'] as const).find((wire) => wires.includes(wire)),
    plan: (wire, input) => (wire === 'openai-embeddings' ? planForOpenAi(method, input) : planForGoogle(method, input)),
  }
}

const never = {
  media: () => [],
  streamType: () => undefined,
  openStream: () => {
    throw new Error('embeddings have no stream')
  },
} as const satisfies Partial<Plan>

function planForGoogle(method: Method, { ask, raw }: PlanInput): Plan {
  return {
    ...never,
    wire: WIRES[method],
    isSame: true,
    encode: ({ upstream_model, param_override, patch }) => ({
      body: encodeGeminiMethodBody(method, { raw, body: ask.body, upstream_model, is_stream: false, param_override, patch }),
      content_type: 'application/json',
      loss: [],
    }),
    readWhole: (bytes, content_type) => {
      const read = readGeminiMethodAnswer(method, parseJsonObject(bytes.toString()))
      return read.kind === 'failed' ? read : answerOf(read, bytes, content_type || 'application/json')
    },
    decodeError: (status, body) => gemini.vendor.decodeError(status, body),
  }
}

function planForOpenAi(method: Method, { ask }: PlanInput): Plan {
  return {
    ...never,
    wire: 'openai-embeddings',
    isSame: false,
    encode: (encoding) => {
      const { body, loss } = geminiToOpenAiEmbedAsk(method, ask.body, encoding.upstream_model)
      return encoded(body, loss, encoding)
    },
    readWhole: (bytes) => {
      const answer = parseJsonObject(bytes.toString())
      const read = readPlainAnswer(answer, 'data')
      if (read.kind === 'failed') return { kind: 'failed', failure: { ...read.failure, body: undefined } }
      const converted = openAiToGeminiEmbedAnswer(method, answer)
      return converted.kind === 'failed' ? converted : answerOf(read, Buffer.from(JSON.stringify(converted.body)), 'application/json')
    },
    decodeError: (status, body) => ({ ...decodeUpstreamError(status, body), body: undefined }),
  }
}

/** OpenAI's embeddings from a vendor of Google's format. */
export function embeddingsFromGoogle({ ask, prompt_tokens }: PlanInput): Plan {
  return {
    ...never,
    wire: 'gemini-embeddings',
    isSame: false,
    encode: (encoding) => {
      const converted = openAiToGeminiEmbeddings(ask.body, encoding.upstream_model)
      if (converted.kind === 'invalid') throw new Error(converted.detail)
      return encoded(converted.body, converted.loss, encoding)
    },
    readWhole: (bytes) => {
      const answer = parseJsonObject(bytes.toString())
      const read = readGeminiMethodAnswer('batchEmbedContents', answer)
      if (read.kind === 'failed') return { kind: 'failed', failure: { ...read.failure, body: undefined } }
      const body = geminiToOpenAiEmbeddings(answer, {
        model: ask.model,
        encoding_format: ask.body['encoding_format'] === 'base64' ? 'base64' : 'float',
        prompt_tokens: read.usage?.prompt_tokens ?? prompt_tokens,
      })
      // The answer has no text: what an estimate would count is the prompt.
      const usage = read.usage ?? { ...promptUsage(prompt_tokens), source: 'estimated' as const }
      return answerOf({ ...read, usage }, Buffer.from(JSON.stringify(body)), 'application/json')
    },
    decodeError: (status, body) => ({ ...gemini.vendor.decodeError(status, body), body: undefined }),
  }
}

/** Why a body cannot go to Google; undefined: it can. */
export function findEmbedObstacle(body: JsonObject): string | undefined {
  const converted = openAiToGeminiEmbeddings(body, '')
  return converted.kind === 'invalid' ? converted.detail : undefined
}

function encoded(body: JsonObject, loss: readonly string[], { patch, param_override }: EncodeInput): Encoded {
  const patched = patch?.(body) ?? body
  return { body: Buffer.from(JSON.stringify({ ...patched, ...param_override })), content_type: 'application/json', loss }
}

type Facts = Pick<Extract<ReadMethodAnswer, { kind: 'answer' }>, 'usage' | 'raw_usage'>

function answerOf({ usage, raw_usage }: Facts, bytes: Buffer, content_type: string): WholeRead {
  return { kind: 'answer', bytes, content_type, usage, raw_usage, texts: [], tool_texts: [], loss: [], finish: undefined }
}
