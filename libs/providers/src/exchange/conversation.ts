import type { Usage } from '@tollgate/contracts/quote'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { AnswerInput, Dialect, EncodeContext } from '../conversation/dialect.ts'
import type { ModelEvent } from '../conversation/events.ts'
import { mediaUrls, withMedia, type ModelRequest } from '../conversation/request.ts'
import { thinkingToContent } from '../conversation/thinking-to-content.ts'
import { createTranslation, EventFacts, type EventStage } from '../conversation/translate.ts'
import { dialects } from '../dialects/index.ts'
import { parseJson, type JsonObject } from '../json.ts'
import type { EncodeInput, Encoded, Operation, Plan, PlanInput, WholeRead } from './operation.ts'
import { promptUsage } from './plain.ts'
import type { Wire } from './wire.ts'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

type Options = {
  /** Gemini's clients may ask for a JSON array instead of an event stream. */
  readonly frame?: 'sse' | 'array'
  /** Why this body cannot go to a vendor of another format; undefined: it can. */
  readonly findObstacle?: (body: JsonObject) => string | undefined
}

/** Conversations in a client's format, served by every vendor that speaks any of them. */
export function conversation(dialect: Dialect, options: Options = {}): Operation {
  return {
    name: dialect.name,
    body: 'json',
    readAsk: (body, route) => dialect.client.decodeAsk(body, route),
    findObstacle: ({ body }) => options.findObstacle?.(body),
    wireFor: (wires, { body }) => {
      if (wires.includes(dialect.name)) return dialect.name
      return options.findObstacle?.(body) === undefined ? wires.find(isDialect) : undefined
    },
    keptOf: ({ body }) => dialect.client.keptOf?.(body) ?? {},
    plan: (wire, input) => {
      if (!isDialect(wire)) throw new Error(`no conversation is held in ${wire}`)
      const isForced = wire === 'openai-chat' && (input.force_format === true || input.thinking_to_content === true)
      if (wire === dialect.name && !isForced) return samePlan(dialect, input, options)
      return translatedPlan({ client: dialect, vendor: dialects[wire], input, options })
    },
  }
}

function isDialect(wire: Wire): wire is keyof typeof dialects {
  return wire in dialects
}

function samePlan(dialect: Dialect, input: PlanInput, options: Options): Plan {
  const { ask, raw, count } = input
  const { frame } = options
  return {
    wire: dialect.name,
    isSame: true,
    media: () => [],
    encode: ({ upstream_model, asks_usage, param_override, patch }) => ({
      body: dialect.same.encodeSame({
        raw,
        body: ask.body,
        upstream_model,
        is_stream: ask.is_stream,
        asks_usage,
        param_override,
        patch,
      }),
      content_type: JSON_TYPE,
      loss: [],
    }),
    streamType: (content_type) => streamType(content_type, ask.is_stream, frame),
    openStream: () => dialect.same.createTap({ wants_usage: ask.include_usage, count, ...(frame === undefined ? {} : { frame }) }),
    readWhole: (bytes, content_type) => {
      if (isEventStream(bytes, content_type) !== ask.is_stream) {
        const answer = answerInput(dialect, input, options)
        return readTranslated({ client: dialect, vendor: dialect, bytes, content_type, answer, stage: undefined, input })
      }
      const read = dialect.same.readAnswer(parseJson(bytes.toString()))
      return read.kind === 'failed' ? read : { ...read, bytes, content_type: content_type || JSON_TYPE, loss: [] }
    },
    decodeError: (status, body) => dialect.vendor.decodeError(status, body),
  }
}

type Translated = { readonly client: Dialect; readonly vendor: Dialect; readonly input: PlanInput; readonly options: Options }

function translatedPlan({ client, vendor, input, options }: Translated): Plan {
  let decoded: ModelRequest | undefined
  const request = () => (decoded ??= client.client.decodeRequest(input.ask))
  const answer = answerInput(client, input, options)
  const stage = (): EventStage | undefined => (input.thinking_to_content === true ? thinkingToContent() : undefined)
  return {
    wire: vendor.name,
    isSame: false,
    media: () => (vendor.vendor.wantsInlineMedia ? mediaUrls(request()) : []),
    encode: (encoding) => encodeFor(vendor, request(), encoding, input),
    streamType: (content_type) => streamType(content_type, input.ask.is_stream, options.frame),
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

function answerInput(client: Dialect, { ask, request_id, created, prompt_tokens }: PlanInput, { frame }: Options): AnswerInput {
  return {
    id: request_id,
    created,
    model: ask.model,
    include_usage: ask.include_usage,
    prompt_tokens,
    body: client.client.keptOf?.(ask.body) ?? {},
    ...(frame === undefined ? {} : { frame }),
  }
}

function encodeFor(vendor: Dialect, request: ModelRequest, encoding: EncodeInput, { ask, settings }: PlanInput): Encoded {
  const context: EncodeContext = {
    upstream_model: encoding.upstream_model,
    is_stream: ask.is_stream,
    asks_usage: encoding.asks_usage,
    default_max_tokens: settings.default_max_tokens(ask.model),
    safety_settings: settings.safety_settings,
    makes_images: settings.makes_images(encoding.upstream_model),
  }
  const { body, loss } = vendor.vendor.encodeRequest(withMedia(request, encoding.media), context)
  const patched = encoding.patch?.(body) ?? body
  return { body: Buffer.from(JSON.stringify({ ...patched, ...encoding.param_override })), content_type: JSON_TYPE, loss }
}

type Reading = {
  readonly client: Dialect
  readonly vendor: Dialect
  readonly bytes: Buffer
  readonly content_type: string
  readonly answer: AnswerInput
  readonly stage: EventStage | undefined
  readonly input: PlanInput
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
    ...(input.ask.is_stream ? streamOf(client, staged, answer, facts.usage) : documentOf(client, staged, answer)),
    usage: facts.usage,
    raw_usage: facts.raw_usage,
    finish: facts.finish,
    ...textsOf(events),
  }
}

type Written = { readonly bytes: Buffer; readonly content_type: string; readonly loss: readonly string[] }

function documentOf(client: Dialect, events: readonly ModelEvent[], answer: AnswerInput): Written {
  const { body, loss } = client.client.encodeAnswer(events, answer)
  return { bytes: Buffer.from(JSON.stringify(body)), content_type: JSON_TYPE, loss }
}

function streamOf(client: Dialect, events: readonly ModelEvent[], answer: AnswerInput, usage: Usage | undefined): Written {
  const encoder = client.client.createEncoder(answer)
  const told = events.map((event) => encoder.push(event)).join('')
  const text = told + encoder.closing(usage ?? { ...promptUsage(answer.prompt_tokens), source: 'estimated' })
  return { bytes: Buffer.from(text), content_type: answer.frame === 'array' ? JSON_TYPE : STREAM_TYPE, loss: encoder.loss }
}

/** A stream that nobody asked for, read to its end. */
function eventsOfStream(vendor: Dialect, bytes: Buffer): ModelEvent[] {
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
