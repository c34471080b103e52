import type { Usage } from '@tollgate/contracts/quote'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { AnswerInput, ChatCodec, EncodeContext } from '../chat/codec.ts'
import type { ModelEvent } from '../chat/events.ts'
import { mediaUrls, withMedia, type ChatRequest } from '../chat/request.ts'
import { reasoningAsText } from '../chat/reasoning-as-text.ts'
import { createTranslation, EventFacts, type EventTransform } from '../chat/translate.ts'
import { chatCodecs } from '../formats/index.ts'
import { parseJson, type JsonObject } from '../json.ts'
import type { EncodeInput, Encoded, Operation, Translator, TranslatorInput, WholeRead } from './operation.ts'
import { promptUsage } from './plain.ts'
import type { ApiFormat } from './api-format.ts'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

type Options = {
  /** Gemini's clients may ask for a JSON array instead of an event stream. */
  readonly frame?: 'sse' | 'array'
  /** Why this body cannot go to a vendor of another format; undefined: it can. */
  readonly findObstacle?: (body: JsonObject) => string | undefined
}

/** Conversations in a client's format, served by every vendor that speaks any of them. */
export function chatOperation(codec: ChatCodec, options: Options = {}): Operation {
  return {
    name: codec.name,
    body: 'json',
    readRequest: (body, route) => codec.client.decodeRequest(body, route),
    findObstacle: ({ body }) => options.findObstacle?.(body),
    formatFor: (formats, { body }) => {
      if (formats.includes(codec.name)) return codec.name
      return options.findObstacle?.(body) === undefined ? formats.find(isChatFormat) : undefined
    },
    answerSettings: ({ body }) => codec.client.answerSettings?.(body) ?? {},
    createTranslator: (format, input) => {
      if (!isChatFormat(format)) throw new Error(`no chat format: ${format}`)
      const isForced = format === 'openai-chat' && (input.force_format === true || input.thinking_to_content === true)
      if (format === codec.name && !isForced) return passThroughTranslator(codec, input, options)
      return convertingTranslator({ client: codec, vendor: chatCodecs[format], input, options })
    },
  }
}

function isChatFormat(format: ApiFormat): format is keyof typeof chatCodecs {
  return format in chatCodecs
}

function passThroughTranslator(format: ChatCodec, input: TranslatorInput, options: Options): Translator {
  const { request, raw, count } = input
  const { frame } = options
  return {
    format: format.name,
    isSameFormat: true,
    media: () => [],
    encode: ({ upstream_model, supports_stream_options, param_override, patch }) => ({
      body: format.passThrough.encodeBody({
        raw,
        body: request.body,
        upstream_model,
        is_stream: request.is_stream,
        supports_stream_options,
        param_override,
        patch,
      }),
      content_type: JSON_TYPE,
      warnings: [],
    }),
    streamType: (content_type) => streamType(content_type, request.is_stream, frame),
    openStream: () =>
      format.passThrough.createUsageReader({ wants_usage: request.include_usage, count, ...(frame === undefined ? {} : { frame }) }),
    readWhole: (bytes, content_type) => {
      if (isEventStream(bytes, content_type) !== request.is_stream) {
        const answer = answerInput(format, input, options)
        return readTranslated({ client: format, vendor: format, bytes, content_type, answer, stage: undefined, input })
      }
      const read = format.passThrough.readAnswer(parseJson(bytes.toString()))
      return read.kind === 'failed' ? read : { ...read, bytes, content_type: content_type || JSON_TYPE, warnings: [] }
    },
    decodeError: (status, body) => format.vendor.decodeError(status, body),
  }
}

type Translated = { readonly client: ChatCodec; readonly vendor: ChatCodec; readonly input: TranslatorInput; readonly options: Options }

function convertingTranslator({ client, vendor, input, options }: Translated): Translator {
  let decoded: ChatRequest | undefined
  const request = () => (decoded ??= client.client.decodeChat(input.request))
  const answer = answerInput(client, input, options)
  const stage = (): EventTransform | undefined => (input.thinking_to_content === true ? reasoningAsText() : undefined)
  return {
    format: vendor.name,
    isSameFormat: false,
    media: () => (vendor.vendor.wantsInlineMedia ? mediaUrls(request()) : []),
    encode: (encoding) => encodeFor(vendor, request(), encoding, input),
    streamType: (content_type) => streamType(content_type, input.request.is_stream, options.frame),
    openStream: () =>
      createTranslation({
        decoder: vendor.vendor.createDecoder(),
        encoder: client.client.createEncoder(answer),
        count: input.count,
        stage: stage(),
      }),
    readWhole: (bytes, content_type) => readTranslated({ client, vendor, bytes, content_type, answer, stage: stage(), input }),
    decodeError: (status, body) => withoutBody(vendor.vendor.decodeError(status, body)),
  }
}

function answerInput(client: ChatCodec, { request, request_id, created, prompt_tokens }: TranslatorInput, { frame }: Options): AnswerInput {
  return {
    id: request_id,
    created,
    model: request.model,
    include_usage: request.include_usage,
    prompt_tokens,
    body: client.client.answerSettings?.(request.body) ?? {},
    ...(frame === undefined ? {} : { frame }),
  }
}

function encodeFor(vendor: ChatCodec, chat: ChatRequest, encoding: EncodeInput, { request, settings }: TranslatorInput): Encoded {
  const context: EncodeContext = {
    upstream_model: encoding.upstream_model,
    is_stream: request.is_stream,
    supports_stream_options: encoding.supports_stream_options,
    default_max_tokens: settings.default_max_tokens(request.model),
    safety_settings: settings.safety_settings,
    makes_images: settings.makes_images(encoding.upstream_model),
  }
  const { body, warnings } = vendor.vendor.encodeChat(withMedia(chat, encoding.media), context)
  const patched = encoding.patch?.(body) ?? body
  return { body: Buffer.from(JSON.stringify({ ...patched, ...encoding.param_override })), content_type: JSON_TYPE, warnings }
}

type Reading = {
  readonly client: ChatCodec
  readonly vendor: ChatCodec
  readonly bytes: Buffer
  readonly content_type: string
  readonly answer: AnswerInput
  readonly stage: EventTransform | undefined
  readonly input: TranslatorInput
}

/** A whole answer in the client's format and in the manner it asked for, whatever the vendor made of that. */
function readTranslated({ client, vendor, bytes, content_type, answer, stage, input }: Reading): WholeRead {
  const events = isEventStream(bytes, content_type)
    ? eventsOfStream(vendor, bytes)
    : vendor.vendor.decodeAnswer(parseJson(bytes.toString()))
  const facts = new EventFacts(input.count)
  for (const event of events) facts.read(event)
  if (facts.failure !== undefined) return { kind: 'failed', failure: withoutBody(facts.failure) }
  const staged = stage === undefined ? events : events.flatMap((event) => [...stage(event)])
  return {
    kind: 'answer',
    ...(input.request.is_stream ? streamOf(client, staged, answer, facts.usage) : documentOf(client, staged, answer)),
    usage: facts.usage,
    raw_usage: facts.raw_usage,
    finish: facts.finish,
    ...textsOf(events),
  }
}

type Written = { readonly bytes: Buffer; readonly content_type: string; readonly warnings: readonly string[] }

function documentOf(client: ChatCodec, events: readonly ModelEvent[], answer: AnswerInput): Written {
  const { body, warnings } = client.client.encodeAnswer(events, answer)
  return { bytes: Buffer.from(JSON.stringify(body)), content_type: JSON_TYPE, warnings }
}

function streamOf(client: ChatCodec, events: readonly ModelEvent[], answer: AnswerInput, usage: Usage | undefined): Written {
  const encoder = client.client.createEncoder(answer)
  const told = events.map((event) => encoder.push(event)).join('')
  const text = told + encoder.closing(usage ?? { ...promptUsage(answer.prompt_tokens), source: 'estimated' })
  return { bytes: Buffer.from(text), content_type: answer.frame === 'array' ? JSON_TYPE : STREAM_TYPE, warnings: encoder.warnings }
}

/** A stream that nobody asked for, read to its end. */
function eventsOfStream(vendor: ChatCodec, bytes: Buffer): ModelEvent[] {
  const decoder = vendor.vendor.createDecoder()
  const begun = decoder.push(bytes)
  const { events, ending } = decoder.end()
  if (ending !== 'cut') return [...begun, ...events]
  return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the stream broke off' } }]
}

/** By its type, unless it is plainly a document. */
function isEventStream(bytes: Buffer, content_type: string): boolean {
  return content_type.toLowerCase().includes('event-stream') && !/^\s*[{[]/.test(bytes.toString('latin1', 0, 64))
}

function textsOf(events: readonly ModelEvent[]): { texts: string[]; tool_texts: string[] } {
  const texts: string[] = []
  const tool_texts: string[] = []
  for (const event of events) {
    if (event.kind === 'text' || event.kind === 'reasoning' || event.kind === 'refusal') texts.push(event.text)
    else if (event.kind === 'tool-call') tool_texts.push(event.name)
    else if (event.kind === 'tool-arguments') tool_texts.push(event.text)
  }
  return { texts, tool_texts }
}

/** Only a client that asked for a stream is given one; a vendor's type counts where it says that this is none. */
function streamType(content_type: string, wasAsked: boolean, frame: 'sse' | 'array' = 'sse'): string | undefined {
  const type = content_type.toLowerCase()
  if (!wasAsked || type.includes('json') || type.includes('html')) return undefined
  return frame === 'array' ? JSON_TYPE : STREAM_TYPE
}

/** Another format's error object means nothing to the client. */
function withoutBody(failure: UpstreamFailure): UpstreamFailure {
  return { ...failure, body: undefined }
}
