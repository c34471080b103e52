import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { ChannelTest, TestCapability } from '@tollgate/contracts/channels/channel-tests'
import { fromFault, type Fault } from '@tollgate/contracts/failures/fault'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { modelKindOf } from '@tollgate/domain/channel-models/model-kind'
import { countInto } from '@tollgate/domain/pricing/count'
import { OutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { embeddings } from '@tollgate/providers/operations/embeddings'
import { images } from '@tollgate/providers/operations/images'
import { moderations } from '@tollgate/providers/operations/moderations'
import { rerank } from '@tollgate/providers/operations/rerank'
import { isReasoningModel } from '@tollgate/providers/chat/formats/openai-chat/models'
import type { ConversionSettings, Operation, Translator } from '@tollgate/providers/calls/operation'
import type { JsonObject } from '@tollgate/providers/json'
import type { PreparedCall } from './call.ts'
import { redactFailure } from './failure.ts'
import { outboundFault } from './outbound-fault.ts'
import { prepare, type Prepared } from './prepare.ts'
import { createSigner, type Signed } from './signer.ts'
import { send, type SendingOutbound } from './send.ts'

type ProbeOutbound = SendingOutbound & Pick<Outbound, 'request'>

export type ProbeInput = {
  readonly channel: ChannelSnapshot
  /** The channel's key in plain text. */
  readonly key: string
  /** A model name as clients request it; the channel's mapping applies. */
  readonly model: string
  /** Default: `auto`. */
  readonly capability?: TestCapability
  readonly signal?: AbortSignal
  readonly timeout_ms?: number
}

export type ProbeResult = {
  readonly ok: boolean
  readonly capability: ChannelTest['capability']
  /** HTTP status of upstream's answer; 0: no answer. */
  readonly status: number
  readonly time_ms: number
  /** On success empty, or what was repaired; at most 500 characters. Upstream's text is included only from an HTTP response. */
  readonly message: string
  /** The message, if it is not upstream's. */
  readonly fault?: Fault
  readonly usage?: Usage
  /** Upstream's refusal, without the key. */
  readonly failure?: UpstreamFailure
}

const TIMEOUT_MS = 25_000
const IMAGE_TIMEOUT_MS = 95_000
const MAX_ANSWER = 16 * 1024 * 1024

/** Sends one short request to a channel with the same mapping, overrides, address and proxy as a client's request. */
export async function testChannel(outbound: ProbeOutbound, input: ProbeInput): Promise<ProbeResult> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const capability = capabilityOf(input)
  const prepared = prepareProbe(input, capability)
  if ('message' in prepared) return { ok: false, capability, status: 0, time_ms: elapsed(), ...prepared }
  try {
    const signed = await signedFor(outbound, prepared, input.key)
    if (signed.kind === 'failed')
      return { ...refused(signed.failure.status ?? 0, signed.failure, input.key), capability, time_ms: elapsed() }
    const patience_ms = capability === 'image' ? IMAGE_TIMEOUT_MS : TIMEOUT_MS
    const answer = await collect(outbound, signed.call, { ...input, timeout_ms: input.timeout_ms ?? patience_ms })
    const read = READERS[capability](answer, prepared.translator, input.key)
    return { ...read, capability, time_ms: elapsed() }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { ok: false, capability, status: 0, time_ms: elapsed(), ...outboundFault(error.failure) }
  }
}

function capabilityOf({ channel, model, capability = 'auto' }: ProbeInput): ChannelTest['capability'] {
  if (capability !== 'auto') return capability
  if (channel.type === MOKA) return 'embeddings'
  const kind = modelKindOf(model)
  return kind === 'costly' ? 'chat' : kind
}

/** Probes ignore the operator's conversion options. */
const PROBE_SETTINGS: ConversionSettings = { default_max_tokens: () => 8192, safety_settings: [], makes_images: () => false }
const chat: Operation = chatOperation(chatCodecs['openai-chat'])

const OPERATIONS: Readonly<Record<ChannelTest['capability'], Operation>> = {
  chat,
  stream: chat,
  tools: chat,
  list: chat,
  embeddings,
  rerank,
  moderation: moderations,
  image: images,
}

type ProbeCall = Extract<Prepared, { kind: 'ok' }>

function prepareProbe(
  { channel, key, model }: ProbeInput,
  capability: ChannelTest['capability'],
): ProbeCall | Pick<ProbeResult, 'message' | 'fault'> {
  const operation = OPERATIONS[capability]
  const body = bodyOf(capability, model)
  const decoded = operation.readRequest(body, {})
  if (decoded.kind === 'invalid') return { message: decoded.detail }
  const given = {
    request: decoded.request,
    raw: Buffer.from(JSON.stringify(body)),
    content_type: 'application/json',
    request_id: 'probe',
    created: 0,
    prompt_tokens: 0,
    count: countInto,
    settings: PROBE_SETTINGS,
  }
  const prepared = prepare({ channel, key, operation, given })
  if (prepared.kind === 'mapping-cycle') return fromFault('model.mapping-cycle')
  if (prepared.kind === 'returned-error') return { message: `return_error: ${prepared.error.status} ${prepared.error.message}` }
  return prepared.kind === 'unsupported' ? { message: prepared.detail } : prepared
}

/** The test's request in OpenAI's format. */
function bodyOf(capability: ChannelTest['capability'], model: string): JsonObject {
  const hi = [{ role: 'user', content: 'hi' }]
  switch (capability) {
    case 'chat':
    case 'list':
      return { model, messages: hi, ...limitOf(model) }
    case 'stream':
      return { model, messages: hi, ...limitOf(model), stream: true }
    case 'tools':
      return { model, messages: [{ role: 'user', content: 'What time is it in Paris? Call the tool.' }], ...TOOL, ...toolLimitOf(model) }
    case 'embeddings':
      return { model, input: ['hello world'] }
    case 'rerank':
      return { model, query: 'hi', documents: ['hello'] }
    case 'moderation':
      return { model, input: 'hi' }
    case 'image':
      return { model, prompt: 'A red dot on white', n: 1 }
  }
}

const TOOL: JsonObject = {
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_time',
        description: 'Tells the time in a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ],
  tool_choice: { type: 'function', function: { name: 'get_time' } },
}

/** Models that think first need room for it before the first word. */
const THINKING_TOKENS = 512
const THINKS = /think|reason|-r1\b|qwq/i

const toolLimitOf = (model: string): JsonObject =>
  isReasoningModel(model) ? { max_completion_tokens: THINKING_TOKENS } : { max_tokens: THINKING_TOKENS }

const MOKA = 44

/** The output limit by model name. */
function limitOf(model: string): JsonObject {
  if (isReasoningModel(model)) return { max_completion_tokens: THINKING_TOKENS }
  if (THINKS.test(model)) return /claude/i.test(model) ? {} : { max_tokens: THINKING_TOKENS }
  return { max_tokens: /gemini/i.test(model) ? 300 : 10 }
}

async function signedFor(outbound: ProbeOutbound, { call, signing }: ProbeCall, key: string): Promise<Signed> {
  return signing === undefined ? { kind: 'ok', call } : createSigner({ outbound, now: Date.now }).sign(signing, call, key)
}

type Answer = { readonly status: number; readonly content_type: string; readonly bytes: Buffer }

function collect(outbound: ProbeOutbound, call: PreparedCall, { signal, timeout_ms = TIMEOUT_MS }: ProbeInput): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    let content_type = ''
    const stop = () => sending.abort()
    const cleanUp = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const sending = send(
      outbound,
      call,
      {
        onHead: (answered, headers) => {
          status = answered
          content_type = String(headers['content-type'] ?? '')
        },
        onData: (chunk) => {
          size += chunk.length
          if (size > MAX_ANSWER) sending.abort(new OutboundError('too-large', 'the answer is too large'))
          else chunks.push(chunk)
        },
        onEnd: () => {
          cleanUp()
          resolve({ status, content_type, bytes: Buffer.concat(chunks) })
        },
        onError: (error) => {
          cleanUp()
          reject(error)
        },
      },
      { first_byte_ms: timeout_ms, idle_ms: timeout_ms },
    )
    const timer = setTimeout(() => sending.abort(new OutboundError('timeout', 'no answer in time')), timeout_ms)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
  })
}

type Read = Omit<ProbeResult, 'time_ms' | 'capability'>

type Reader = (answer: Answer, translator: Translator, key: string) => Read

/** Passes if the answer calls the tool that the request demanded. */
const readTools: Reader = (answer, translator, key) => {
  const read = readProbe(answer, translator, key)
  if (!read.ok) return read
  const whole = translator.readWhole(answer.bytes, 'application/json')
  const hasCall = whole.kind === 'answer' && whole.tool_texts.length > 0
  return hasCall ? read : { ok: false, status: answer.status, ...fromFault('channel-fault.no-tool-call') }
}

function readProbe({ status, bytes }: Answer, translator: Translator, key: string): Read {
  if (status < 200 || status > 299) return refused(status, translator.decodeError(status, bytes.toString()), key)
  const read = translator.readWhole(bytes, 'application/json')
  if (read.kind === 'failed')
    return read.failure.kind === 'malformed' ? unreadable(status) : refused(read.failure.status ?? status, read.failure, key)
  return { ok: true, status, message: '', ...(read.usage === undefined ? {} : { usage: read.usage }) }
}

/** A stream passes when it has a piece and an end; a whole answer to a streaming request passes as one. */
function readStream(answer: Answer, translator: Translator, key: string): Read {
  const { status, content_type, bytes } = answer
  const isStream = status >= 200 && status <= 299 && translator.streamType(content_type) !== undefined
  if (!isStream) return readProbe(answer, translator, key)
  const stream = translator.openStream()
  const piece = stream.push(bytes)
  const { rest, ending } = stream.close()
  const { failure, usage } = stream.facts
  if (failure !== undefined) return refused(failure.status ?? status, failure, key)
  const isComplete = (ending === 'done' || ending === 'finished') && piece.length + rest.length > 0
  if (!isComplete) return { ok: false, status, ...outboundFault('reset') }
  const repaired = (stream.warnings ?? []).flatMap((warning) => REPAIRED.exec(warning)?.[1] ?? [])
  const noted = repaired.length === 0 ? { message: '' } : fromFault('channel-fault.repaired', { fields: repaired.join(', ') })
  return { ok: true, status, ...noted, ...(usage === undefined ? {} : { usage }) }
}

const REPAIRED = /^repaired: (.*)/

const READERS: Readonly<Record<ChannelTest['capability'], Reader>> = {
  chat: readProbe,
  stream: readStream,
  tools: readTools,
  list: readProbe,
  embeddings: readProbe,
  rerank: readProbe,
  moderation: readProbe,
  image: readProbe,
}

const unreadable = (status: number): Read => ({ ok: false, status, ...outboundFault('malformed') })

function refused(status: number, given: UpstreamFailure, key: string): Read {
  const failure = redactFailure(given, key)
  return { ok: false, status, message: `status code ${status}: ${failure.message}`.slice(0, 500), failure }
}
