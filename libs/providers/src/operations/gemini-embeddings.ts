import { gemini } from '../chat/formats/gemini/index.ts'
import {
  decodeGeminiMethodRequest,
  encodeGeminiMethodBody,
  readGeminiMethodAnswer,
  type ReadMethodAnswer,
} from '../chat/formats/gemini/embeddings.ts'
import {
  geminiToOpenAiEmbeddingRequest,
  geminiToOpenAiEmbeddings,
  openAiToGeminiEmbedAnswer,
  openAiToGeminiEmbeddings,
} from '../chat/formats/gemini/embeddings-openai.ts'
import { cohereEmbeddings } from '../vendor-formats/cohere-embeddings/index.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { objectsAt, parseJsonObject, type JsonObject } from '../json.ts'
import type { EncodeInput, Encoded, Operation, Translator, TranslatorInput, WholeRead } from '../calls/operation.ts'
import { readListAnswer, promptUsage } from '../calls/non-chat.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import { formTranslator, obstacleOf } from '../calls/vendor-form.ts'

type Method = 'embedContent' | 'batchEmbedContents'

const API_FORMATS = { embedContent: 'gemini-embed-content', batchEmbedContents: 'gemini-embeddings' } as const satisfies Record<
  Method,
  ApiFormat
>

/** Google's embeddings API, for vendors of Google's or OpenAI's format, or of Cohere's: https://ai.google.dev/api/embeddings */
export function geminiEmbeddings(method: Method): Operation {
  return {
    name: 'gemini-embeddings',
    body: 'json',
    readRequest: (body, route) => {
      const read = decodeGeminiMethodRequest(method, body, route)
      return read.kind === 'ok' ? { kind: 'ok', request: { ...read.request, max_tokens: 0 } } : read
    },
    findObstacle: ({ body }) => {
      const found = cohereObstacle(method, body)
      return found === undefined ? undefined : obstacleOf(found)
    },
    formatFor: (formats, { body }) => {
      const known = ([API_FORMATS[method], 'openai-embeddings'] as const).find((format) => formats.includes(format))
      if (known !== undefined || !formats.includes(cohereEmbeddings.format)) return known
      return cohereObstacle(method, body) === undefined ? cohereEmbeddings.format : undefined
    },
    createTranslator: (format, input) => {
      if (format === cohereEmbeddings.format) return translatorForCohere(method, input)
      return format === 'openai-embeddings' ? translatorForOpenAi(method, input) : translatorForGoogle(method, input)
    },
  }
}

const noStream = {
  media: () => [],
  streamType: () => undefined,
  openStream: () => {
    throw new Error('embeddings have no stream')
  },
} as const satisfies Partial<Translator>

function translatorForGoogle(method: Method, { request, raw }: TranslatorInput): Translator {
  return {
    ...noStream,
    format: API_FORMATS[method],
    isSameFormat: true,
    encode: ({ upstream_model, param_override, patch }) => ({
      body: encodeGeminiMethodBody(method, { raw, body: request.body, upstream_model, is_stream: false, param_override, patch }),
      content_type: 'application/json',
      warnings: [],
    }),
    readWhole: (bytes) => {
      const read = readGeminiMethodAnswer(method, parseJsonObject(bytes.toString()))
      return read.kind === 'failed' ? read : answerOf(read, bytes)
    },
    decodeError: (status, body) => gemini.vendor.decodeError(status, body),
  }
}

function translatorForOpenAi(method: Method, { request }: TranslatorInput): Translator {
  return {
    ...noStream,
    format: 'openai-embeddings',
    isSameFormat: false,
    encode: (encoding) => {
      const { body, warnings } = geminiToOpenAiEmbeddingRequest(method, request.body, encoding.upstream_model)
      return encoded(body, warnings, encoding)
    },
    readWhole: (bytes) => {
      const answer = parseJsonObject(bytes.toString())
      const read = readListAnswer(answer, 'data')
      if (read.kind === 'failed') return { kind: 'failed', failure: { ...read.failure, body: undefined } }
      const converted = openAiToGeminiEmbedAnswer(method, answer)
      return converted.kind === 'failed' ? converted : answerOf(read, Buffer.from(JSON.stringify(converted.body)))
    },
    decodeError: (status, body) => ({ ...decodeUpstreamError(status, body), body: undefined }),
  }
}

const cohereObstacle = (method: Method, body: JsonObject) =>
  cohereEmbeddings.obstacle(geminiToOpenAiEmbeddingRequest(method, body, '').body)

/** Converts by way of OpenAI's embeddings. */
function translatorForCohere(method: Method, input: TranslatorInput): Translator {
  const { body, warnings } = geminiToOpenAiEmbeddingRequest(method, input.request.body, input.request.model)
  const inner = formTranslator(cohereEmbeddings, { ...input, request: { ...input.request, body } })
  return {
    ...inner,
    encode: (encoding) => {
      const sent = inner.encode(encoding)
      return { ...sent, warnings: [...warnings, ...sent.warnings] }
    },
    readWhole: (bytes, content_type) => {
      const read = inner.readWhole(bytes, content_type)
      if (read.kind === 'failed') return read
      const converted = openAiToGeminiEmbedAnswer(method, parseJsonObject(read.bytes.toString()))
      return converted.kind === 'failed' ? converted : { ...read, bytes: Buffer.from(JSON.stringify(converted.body)) }
    },
  }
}

/** OpenAI's embeddings from a vendor of Google's format. */
export function embeddingsFromGoogle({ request, prompt_tokens }: TranslatorInput, format: GoogleFormat): Translator {
  const isSingle = format === 'gemini-embed-content'
  return {
    ...noStream,
    format,
    isSameFormat: false,
    encode: (encoding) => {
      const converted = openAiToGeminiEmbeddings(request.body, encoding.upstream_model)
      if (converted.kind === 'invalid') throw new Error(converted.detail)
      const { model: _model, ...single } = objectsAt(converted.body, 'requests')[0] ?? {}
      return encoded(isSingle ? single : converted.body, converted.warnings, encoding)
    },
    readWhole: (bytes) => {
      const answer = parseJsonObject(bytes.toString())
      const read = readGeminiMethodAnswer(isSingle ? 'embedContent' : 'batchEmbedContents', answer)
      if (read.kind === 'failed') return { kind: 'failed', failure: { ...read.failure, body: undefined } }
      const body = geminiToOpenAiEmbeddings(answer, {
        model: request.model,
        encoding_format: request.body['encoding_format'] === 'base64' ? 'base64' : 'float',
        prompt_tokens: read.usage?.prompt_tokens ?? prompt_tokens,
      })
      // The response has no text, so the estimate is the prompt's tokens.
      const usage = read.usage ?? { ...promptUsage(prompt_tokens), source: 'estimated' as const }
      return answerOf({ ...read, usage }, Buffer.from(JSON.stringify(body)))
    },
    decodeError: (status, body) => ({ ...gemini.vendor.decodeError(status, body), body: undefined }),
  }
}

type GoogleFormat = (typeof API_FORMATS)[Method]

/** Why a body cannot be converted to Google's format; undefined if it can. */
export function findEmbedObstacle(body: JsonObject, format: GoogleFormat = 'gemini-embeddings'): string | undefined {
  const converted = openAiToGeminiEmbeddings(body, '')
  if (converted.kind === 'ok' && format === 'gemini-embed-content' && objectsAt(converted.body, 'requests').length > 1)
    return 'this model takes one text per call'
  return converted.kind === 'invalid' ? converted.detail : undefined
}

function encoded(body: JsonObject, warnings: readonly string[], { patch, param_override }: EncodeInput): Encoded {
  const patched = patch?.(body) ?? body
  return { body: Buffer.from(JSON.stringify({ ...patched, ...param_override })), content_type: 'application/json', warnings }
}

type Facts = Pick<Extract<ReadMethodAnswer, { kind: 'answer' }>, 'usage' | 'raw_usage'>

function answerOf({ usage, raw_usage }: Facts, bytes: Buffer): WholeRead {
  return {
    kind: 'answer',
    bytes,
    content_type: 'application/json',
    usage,
    raw_usage,
    texts: [],
    tool_texts: [],
    warnings: [],
    finish: undefined,
  }
}
