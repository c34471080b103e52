import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { AnswerInput, ChatCodec, EncodeContext, VendorCodec } from '../chat/codec.ts'
import type { ModelEvent } from '../chat/events.ts'
import { CallWatch } from '../chat/call-arguments.ts'
import { withHostedTools, type Demand } from '../chat/demands.ts'
import { ChoicesTranslator, holdsChoices, joinBodies, joinStreams, splitWhole } from '../chat/choices.ts'
import { isDispensable, type Content } from '../chat/content.ts'
import type { DecodedRequest, ModelRequest } from '../chat/model-request.ts'
import { mediaUrls, withMedia, type ChatRequest } from '../chat/request.ts'
import { withFormatInstruction } from '../chat/format-instruction.ts'
import { repairHistory } from '../chat/repair-history.ts'
import { reasoningAsText } from '../chat/reasoning-as-text.ts'
import { unpricedIn } from '../chat/unpriced-fields.ts'
import { createTranslation, EventFacts, type EventTransform } from '../chat/translate.ts'
import { readEvents } from '../chat/whole-answer.ts'
import { PlainContentStream, withPlainContent } from '../chat/formats/openai-chat/content-lists.ts'
import { usageWanted } from '../chat/formats/openai-chat/usage-reader.ts'
import { referableIn } from '../chat/formats/anthropic-messages/referable.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { vendorCodecs } from '../vendor-formats/index.ts'
import { Warnings } from '../warnings.ts'
import { isObject, listAt, parseJson, textAt, type JsonObject } from '../json.ts'
import type { EncodeInput, Encoded, Obstacle, Operation, Translator, TranslatorInput, WholeRead } from '../calls/operation.ts'
import { promptUsage } from '../calls/non-chat.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import type { ResponseType } from '../calls/response-type.ts'
import { withCache, withImageAnswers, withReader } from './request-facts.ts'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

type Options = {
  /** Gemini clients can ask for a JSON array instead of an event stream. */
  readonly frame?: 'sse' | 'array'
  /** Why this body cannot be translated to another format; undefined: it can. */
  readonly findObstacle?: (body: JsonObject) => string | undefined
  /** The format is the client's alone: vendors are called in another one. */
  readonly isConverted?: true
  /** The part of a valid body that the gateway does not serve; undefined: none. */
  readonly findFault?: (body: JsonObject) => { readonly field: string; readonly detail: string } | undefined
}

/** Chat requests in one client format, for vendors of any chat format. */
export function chatOperation(codec: ChatCodec, options: Options = {}): Operation {
  return {
    name: codec.name,
    body: 'json',
    canFallBack: true,
    readRequest: (body, route) => {
      const decoded = codec.client.decodeRequest(body, route)
      const fault = decoded.kind === 'ok' ? options.findFault?.(decoded.request.body) : undefined
      if (fault !== undefined) return { kind: 'invalid', code: 'request.field', ...fault }
      return withDemands(codec, withCache(withImageAnswers(withReader(decoded, route))), options)
    },
    findObstacle: (request) => obstacleOf(codec, request, options),
    formatFor: (formats, request) => {
      if (formats.includes(codec.name)) return codec.name
      if (options.findObstacle?.(request.body) !== undefined) return undefined
      return formats.find((format) => isChatFormat(format) && canCarry(codec, request, format))
    },
    answerSettings: ({ body }) => codec.client.answerSettings?.(body) ?? {},
    createTranslator: (format, input) => {
      if (!isChatFormat(format)) throw new Error(`no chat format: ${format}`)
      const isForced = options.isConverted === true || isForcedFor(format, input)
      if (format === codec.name && !isForced) return passThroughTranslator(codec, input, options)
      return convertingTranslator({ client: codec, vendor: vendorCodecs[format], input, options })
    },
  }
}

/** Channel settings that convert between equal formats. */
function isForcedFor(format: ApiFormat, { force_format, thinking_to_content }: TranslatorInput): boolean {
  return format === 'openai-chat' && (force_format === true || thinking_to_content === true)
}

/** Contents by body: every channel of another format is asked about the same ones. */
const contents = new WeakMap<JsonObject, readonly Content[]>()

function canCarry(codec: ChatCodec, request: ModelRequest, format: keyof typeof vendorCodecs): boolean {
  const { vendor }: VendorCodec = vendorCodecs[format]
  return !(request.has_tools && vendor.hasNoTools === true) && findUncarried(codec, request, format) === undefined
}

/** The first content that a vendor of the format would not receive. */
function findUncarried(codec: ChatCodec, { body, model }: ModelRequest, format: keyof typeof vendorCodecs): Content | undefined {
  const all = contents.get(body) ?? codec.client.listContents(body)
  contents.set(body, all)
  const { vendor } = vendorCodecs[format]
  return all.find((content) => !isDispensable(content) && !vendor.carries(content, { model }))
}

/** A request that loses content in every other format is refused; one that loses it in some goes to the others. */
function obstacleOf(codec: ChatCodec, request: ModelRequest, options: Options): Obstacle | undefined {
  const detail = options.findObstacle?.(request.body)
  if (detail !== undefined) return { detail }
  const acted = request.demands?.find(({ refusal }) => refusal !== undefined)
  if (acted !== undefined) return unmet(acted)
  for (const format of CHAT_FORMATS) {
    const lost = format === codec.name ? undefined : findUncarried(codec, request, format)
    if (lost !== undefined) return { field: lost.path, detail: `${lost.path}: ${nameOf(lost)} cannot be sent to the vendors of this model` }
  }
  const required = request.demands?.filter(({ isOptional }) => isOptional !== true)
  const unserved = required?.find(({ ability }) => ability === undefined) ?? required?.[0]
  return unserved === undefined ? undefined : unmet(unserved)
}

function unmet({ path, name, refusal }: Demand): Obstacle {
  const detail = `${path}: the vendors of this model do not offer ${name}`
  return { field: path, detail, ...(refusal === undefined ? {} : { refusal }) }
}

const CHAT_FORMATS = Object.values(chatCodecs).map(({ name }) => name)
function nameOf({ wants }: Content): string {
  if (wants.kind === 'output') return `an answer of kind ${wants.modality}`
  if (wants.kind === 'vendor-specific') return `a part of type ${wants.type}`
  const by = 'source' in wants ? { base64: 'inline', url: 'by address', file: 'by file id', text: 'as text' }[wants.source.kind] : ''
  return `${wants.kind} ${by}`
}

function isChatFormat(format: ApiFormat): format is keyof typeof vendorCodecs {
  return format in vendorCodecs
}

function passThroughTranslator(codec: ChatCodec, input: TranslatorInput, options: Options): Translator {
  const { request, raw, count } = input
  const { frame } = options
  const hasLists = codec.name === 'openai-chat' && input.traits?.content_lists === true
  return {
    format: codec.name,
    isSameFormat: true,
    media: () => [],
    encode: ({ upstream_model, supports_stream_options, param_override, patch }) => ({
      body: codec.passThrough.encodeBody({
        raw,
        body: request.body,
        upstream_model,
        is_stream: request.is_stream,
        supports_stream_options,
        param_override,
        patch,
        state: request.state,
      }),
      content_type: JSON_TYPE,
      warnings: unpricedIn(request.body),
    }),
    streamType: (content_type) => streamType(content_type, request.is_stream, frame),
    openStream: () => {
      const stream = codec.passThrough.createUsageReader({ ...usageWanted(request), count, ...(frame === undefined ? {} : { frame }) })
      return hasLists ? new PlainContentStream(stream) : stream
    },
    readWhole: (given, content_type) => {
      const bytes = hasLists ? withPlainContent(given) : given
      if (isEventStream(bytes, content_type) !== request.is_stream) {
        const answer = answerInput(codec, input, options)
        return readAll({
          n: request.n,
          client: codec,
          vendor: codec,
          bytes,
          content_type,
          answer,
          transform: () => undefined,
          isStream: request.is_stream,
          traits: input.traits,
        })
      }
      const body = parseJson(bytes.toString())
      const read = readEvents(codec.vendor.decodeAnswer(body, 'pass-through'))
      if (read.kind === 'failed') return read
      const rest = { ...countedAnswers(request, body), ...servedBy(request, body), ...keepable(codec, body, request) }
      return { ...read, ...rest, bytes, content_type: JSON_TYPE, warnings: [] }
    },
    decodeError: (status, body) => codec.vendor.decodeError(status, body),
  }
}

function withDemands({ client }: ChatCodec, decoded: DecodedRequest, { frame }: Options): DecodedRequest {
  if (decoded.kind !== 'ok') return decoded
  const listed = client.listDemands(decoded.request.body)
  // The answers of a JSON array are not joined.
  const demands = frame === 'array' ? listed.map((one) => (one.ability === 'choices' ? { path: one.path, name: one.name } : one)) : listed
  return demands.length === 0 ? decoded : { ...decoded, request: { ...decoded.request, demands } }
}

type Translated = { readonly client: ChatCodec; readonly vendor: VendorCodec; readonly input: TranslatorInput; readonly options: Options }

/** The answers of a body, for a request that asked for several. */
function countedAnswers({ n }: ModelRequest, body: unknown): { readonly answers?: number } {
  const answers = n === 1 ? 0 : listAt(body, 'choices').length || listAt(body, 'candidates').length
  return answers === 0 ? {} : { answers }
}

type Served = { readonly served_tier?: string | undefined; readonly served_model?: string | undefined }

/** The tier and the model in the body of an answer, for a request that asked for a tier or named several models. */
function servedBy({ options, other_models }: ModelRequest, body: unknown): Served {
  if (options === undefined && other_models === undefined) return {}
  return { served_tier: textAt(body, 'service_tier'), served_model: other_models === undefined ? undefined : textAt(body, 'model') }
}

function convertingTranslator({ client, vendor, input, options }: Translated): Translator {
  let decoded: ChatRequest | undefined
  const request = () => (decoded ??= client.client.decodeChat(input.request))
  const answer = answerInput(client, input, options)
  const transform = (): EventTransform | undefined => (input.thinking_to_content === true ? reasoningAsText() : undefined)
  return {
    format: vendor.name,
    isSameFormat: false,
    media: () => (vendor.vendor.wantsInlineMedia ? mediaUrls(request()) : []),
    encode: (encoding) => encodeFor({ client, vendor, input, options }, request(), encoding),
    streamType: (content_type) => streamType(content_type, input.request.is_stream, options.frame),
    openStream: () => {
      const open = (facts: EventFacts) =>
        createTranslation({
          decoder: vendor.vendor.createDecoder(input.traits),
          encoder: client.client.createEncoder(answer),
          count: input.count,
          transform: transform(),
          calls: callWatchFor(client, answer),
          facts,
        })
      const facts = new EventFacts(input.count)
      return input.request.n > 1 && holdsChoices(client.name) && holdsChoices(vendor.name)
        ? new ChoicesTranslator({ from: vendor.name, to: client.name, facts, open })
        : open(facts)
    },
    readWhole: (bytes, content_type) => {
      const { n, is_stream: isStream } = input.request
      return readAll({ n, client, vendor, bytes, content_type, answer, transform, isStream, traits: input.traits })
    },
    decodeError: (status, body) => withoutBody(vendor.vendor.decodeError(status, body)),
  }
}

function answerInput(
  client: ChatCodec,
  { request, request_id, created, prompt_tokens, answer_model }: TranslatorInput,
  { frame }: Options,
): AnswerInput {
  return {
    id: request_id,
    created,
    model: answer_model ?? request.model,
    include_usage: request.include_usage,
    prompt_tokens,
    body: client.client.answerSettings?.(request.body) ?? {},
    ...(request.state === undefined ? {} : { state: request.state }),
    ...(frame === undefined ? {} : { frame }),
  }
}

function encodeFor({ client, vendor, input }: Translated, chat: ChatRequest, encoding: EncodeInput): Encoded {
  const { request, settings, traits } = input
  const context: EncodeContext = {
    upstream_model: encoding.upstream_model,
    is_stream: request.is_stream,
    supports_stream_options: encoding.supports_stream_options,
    default_max_tokens: settings.default_max_tokens(request.model),
    safety_settings: settings.safety_settings,
    makes_images: settings.makes_images(encoding.upstream_model),
    ...traits,
  }
  const repairs = new Warnings()
  const messages = repairHistory(chat.messages, repairs, vendor.vendor)
  const target = { format: vendor.name, model: encoding.upstream_model, traits }
  const served = client.name === vendor.name ? chat : withHostedTools(chat, target, repairs)
  const repaired = { ...served, messages }
  const whole = withMedia(vendor.vendor.hasNoFormats === true ? withFormatInstruction(repaired, repairs) : repaired, encoding.media)
  const { body, warnings: lost } = vendor.vendor.encodeChat(whole, context)
  const warnings = [...repairs.entries, ...lost]
  const patched = encoding.patch?.(body) ?? body
  return { body: Buffer.from(JSON.stringify({ ...patched, ...encoding.param_override })), content_type: JSON_TYPE, warnings }
}

type Reading = {
  readonly client: ChatCodec
  readonly vendor: VendorCodec
  readonly bytes: Buffer
  readonly content_type: string
  readonly answer: AnswerInput
  /** For one answer. */
  readonly transform: () => EventTransform | undefined
  /** The client asked for a stream. */
  readonly isStream: boolean
  readonly traits: TranslatorInput['traits']
}

/** All answers of a complete response. */
function readAll({ n, ...reading }: Reading & { readonly n: number }): WholeRead {
  const { client, vendor, bytes, content_type, isStream } = reading
  if (n === 1 || !holdsChoices(client.name) || !holdsChoices(vendor.name)) return readTranslated(reading)
  const reads = splitWhole(vendor.name, bytes, isEventStream(bytes, content_type)).map((own) => readTranslated({ ...reading, bytes: own }))
  const [first] = reads
  const answers = reads.filter((read) => read.kind === 'answer')
  const failed = reads.find((read) => read.kind === 'failed')
  if (failed !== undefined || first?.kind !== 'answer' || reads.length === 1) return failed ?? first ?? NO_ANSWER
  const texts = answers.map((read) => read.bytes.toString())
  const joined = isStream ? joinStreams(client.name, texts) : JSON.stringify(joinBodies(client.name, texts.map(parseJson).filter(isObject)))
  return {
    ...first,
    bytes: Buffer.from(joined),
    texts: answers.flatMap((read) => read.texts),
    tool_texts: answers.flatMap((read) => read.tool_texts),
    warnings: [...new Set(answers.flatMap((read) => read.warnings))],
    answers: answers.length,
  }
}

const NO_ANSWER: WholeRead = { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no content' } }

/** A complete answer in the client's format, as a document or stream as the client asked, whichever of the two the vendor sent. */
function readTranslated({ client, vendor, bytes, content_type, answer, transform, isStream, traits }: Reading): WholeRead {
  const decoded = isEventStream(bytes, content_type)
    ? eventsOfStream(vendor, bytes, traits)
    : vendor.vendor.decodeAnswer(parseJson(bytes.toString()), 'translation', traits)
  const calls = callWatchFor(client, answer)
  const events = calls === undefined ? decoded : decoded.map((event) => calls.read(event))
  const read = readEvents(events)
  if (read.kind === 'failed') return { kind: 'failed', failure: withoutBody(read.failure) }
  const change = transform()
  const transformed = change === undefined ? events : events.flatMap((event) => [...change(event)])
  const written = isStream ? streamOf(client, transformed, answer, read.usage) : documentOf(client, transformed, answer)
  if (isStream || read.usage?.missing === undefined) return { ...read, answers: 1, ...written }
  const withUsage = (usage: Usage) =>
    documentOf(
      client,
      transformed.map((event) => (event.kind === 'usage' ? { ...event, usage } : event)),
      answer,
    ).bytes
  return { ...read, answers: 1, ...written, withUsage }
}

function callWatchFor({ client }: ChatCodec, { body }: AnswerInput): CallWatch | undefined {
  const isWatched = client.objectCalls?.(body)
  return isWatched === undefined ? undefined : new CallWatch(isWatched)
}

type Written = Pick<Extract<WholeRead, { kind: 'answer' }>, 'bytes' | 'content_type' | 'warnings' | 'answer'>

/** The answer itself, if later requests can refer to it. */
function keepable({ name, client }: ChatCodec, body: unknown, request?: ModelRequest): { readonly answer?: JsonObject | undefined } {
  if (client.keptAnswer !== undefined) return isObject(body) ? { answer: client.keptAnswer(body) } : {}
  if (request?.thread !== undefined || request?.container !== undefined) return { answer: referableIn(body) }
  return name === 'openai-responses' && isObject(body) ? { answer: body } : {}
}

function documentOf(client: ChatCodec, events: readonly ModelEvent[], answer: AnswerInput): Written {
  const { body, warnings } = client.client.encodeAnswer(events, answer)
  return { bytes: Buffer.from(JSON.stringify(body)), content_type: JSON_TYPE, warnings, ...keepable(client, body) }
}

function streamOf(client: ChatCodec, events: readonly ModelEvent[], answer: AnswerInput, usage: Usage | undefined): Written {
  const encoder = client.client.createEncoder(answer)
  const content = events.map((event) => encoder.push(event)).join('')
  const text = content + encoder.closing(usage ?? { ...promptUsage(answer.prompt_tokens), source: 'estimated' })
  const content_type = answer.frame === 'array' ? JSON_TYPE : STREAM_TYPE
  return { bytes: Buffer.from(text), content_type, warnings: encoder.warnings, answer: encoder.answer }
}

/** The events of a complete event stream. */
function eventsOfStream(vendor: VendorCodec, bytes: Buffer, traits: TranslatorInput['traits']): ModelEvent[] {
  const decoder = vendor.vendor.createDecoder(traits)
  const begun = decoder.push(bytes)
  const { events, ending } = decoder.end()
  if (ending !== 'cut') return [...begun, ...events]
  return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the stream broke off' } }]
}

/** Judges by the content type, unless the bytes begin like a JSON document. */
function isEventStream(bytes: Buffer, content_type: string): boolean {
  return content_type.toLowerCase().includes('event-stream') && !/^\s*[{[]/.test(bytes.toString('latin1', 0, 64))
}

/** The content type of the client's stream; undefined when the client did not ask for one or the vendor sent a document. */
function streamType(content_type: string, isRequested: boolean, frame: 'sse' | 'array' = 'sse'): ResponseType | undefined {
  const type = content_type.toLowerCase()
  if (!isRequested || type.includes('json') || type.includes('html')) return undefined
  return frame === 'array' ? JSON_TYPE : STREAM_TYPE
}

/** The vendor's error object is of another format than the client's. */
function withoutBody(failure: UpstreamFailure): UpstreamFailure {
  return { ...failure, body: undefined }
}
