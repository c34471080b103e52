import { readFileSync } from 'node:fs'
import { EventStreamCodec } from '@smithy/core/event-streams'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { Operation } from '@tollgate/providers/calls/operation'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import type { RouteFacts } from '@tollgate/providers/chat/model-request'
import type { ChatFormat } from '@tollgate/providers/chat/request'
import { isObject, textAt, type JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { embeddings } from '@tollgate/providers/operations/embeddings'
import { rerank } from '@tollgate/providers/operations/rerank'
import { SseDecoder } from '@tollgate/providers/sse/decoder'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { prepareSample } from '../prepare-sample.ts'
import { anAnswer, type Schemas } from './arbitrary.ts'
import { clientBody } from './client-bodies.ts'
import { typesFile } from './recording.ts'
import { saidIn } from './said.ts'
import { VENDOR_SDKS, type AnswerKind, type VendorSdk } from './sdks.ts'

/** Answers of every form that a vendor's own client declares, and of forms that it does not know yet, are read without a fault. */
const RUNS = { numRuns: 200 }
const CLIENTS = ['openai-chat', 'anthropic-messages', 'gemini'] as const

const OTHERS: readonly { readonly kind: Extract<AnswerKind, 'embedding' | 'rerank'>; readonly operation: Operation }[] = [
  { kind: 'embedding', operation: embeddings },
  { kind: 'rerank', operation: rerank },
]
const typed = VENDOR_SDKS.filter(({ types }) => types !== undefined)

describe.each(typed.map((sdk) => [`${sdk.package} ${sdk.version}`, sdk] as const))('%s', (_, sdk) => {
  const schemas = JSON.parse(readFileSync(typesFile(sdk), 'utf8')) as Schemas // written by check:vendor-sdks
  const { names = {} } = sdk.types ?? {}
  const clients = CLIENTS.filter((client) => names.chat !== undefined && formatFor(sdk, client) === formatFor(sdk, sdk.client))

  it.each(clients)('gives clients of %s what whole answers say', (client) => {
    const { format, readWhole } = translatorFor(sdk, client, false)
    const read = (answer: unknown) => readWhole(Buffer.from(JSON.stringify(answer)), 'application/json')
    let answered = 0
    fc.assert(
      fc.property(anAnswer(schemas, 'chat', { hasUnknown: true }).map(consistent), (answer) => {
        const result = read(answer)
        if (result.kind === 'failed') {
          expect(result.failure.message).not.toBe('')
          return
        }
        answered += 1
        const body: unknown = JSON.parse(result.bytes.toString())
        expect(result.bytes.toString()).not.toMatch(/\[object |undefined/)
        const said = saidIn(format, answer)
        if (said.prompt_tokens !== undefined && result.usage !== undefined) expect(result.usage.prompt_tokens).toBe(said.prompt_tokens)
        if (client !== format) expectInOrder(saidIn(client, body).texts.join(''), said.texts)
      }),
      RUNS,
    )
    expect(answered).toBeGreaterThan(0)
  })

  it.each(names.stream === undefined ? [] : clients)('gives clients of %s events for streams, in any order', (client) => {
    fc.assert(
      fc.property(fc.array(anAnswer(schemas, 'stream', { hasUnknown: true }), { maxLength: 6 }), (events) => {
        const { format, openStream } = translatorFor(sdk, client, true)
        const stream = openStream()
        const sent = events.map((event) => stream.push(framed(sdk, format, event)))
        const { rest, ending } = stream.close()
        const last = ending === 'failed' ? Buffer.alloc(0) : stream.closing(stream.facts.usage ?? ZERO_USAGE)
        const datas = new SseDecoder().push(Buffer.concat([...sent, rest, last])).flatMap(({ data }) => data ?? [])
        expect(datas.filter((data) => data !== '[DONE]').map((data) => typeof JSON.parse(data))).not.toContain('string')
        expect(stream.facts.unreadable).toBe(0)
      }),
      RUNS,
    )
  })

  it.each(OTHERS.filter(({ kind }) => names[kind] !== undefined))('reads answers to $kind', ({ kind, operation }) => {
    const { readWhole } = prepared(sdk, operation, clientBody(sdk.client, kind, sdk.models[kind] ?? sdk.models.chat))
    fc.assert(
      fc.property(anAnswer(schemas, kind, { hasUnknown: true }), (answer) => {
        const result = readWhole(Buffer.from(JSON.stringify(answer)), 'application/json')
        if (result.kind === 'answer') expect(isObject(JSON.parse(result.bytes.toString()))).toBe(true)
        else expect(result.failure.message).not.toBe('')
      }),
      RUNS,
    )
  })
})

function prepared({ type, key = 'the-key', base_url, other }: VendorSdk, operation: Operation, body: JsonObject, route: RouteFacts = {}) {
  const own = type === ChannelType.VertexAI ? JSON.stringify({ project_id: 'the-project' }) : key
  const result = prepareSample({ operation, body, route, type, key: own, ...(base_url === undefined ? {} : { base_url }), other })
  if (result.kind !== 'ok') throw new Error(JSON.stringify(result))
  return result.translator
}

function translatorFor(sdk: VendorSdk, client: ChatFormat, is_stream: boolean) {
  const model = sdk.models.chat
  const body = clientBody(client, is_stream ? 'stream' : 'plain', model)
  return prepared(sdk, chatOperation(chatCodecs[client]), body, client === 'gemini' ? { model, is_stream } : {})
}

/** The vendor's format for a client; some have several. */
const formatFor = (sdk: VendorSdk, client: ChatFormat) => translatorFor(sdk, client, false).format

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
)

/** One event as the vendor sends it. */
function framed({ type }: VendorSdk, format: ApiFormat, event: unknown): Buffer {
  const data = JSON.stringify(event)
  const name = textAt(event, 'type')
  if (type !== ChannelType.Bedrock) return Buffer.from(`${format === 'anthropic-messages' ? `event: ${name}\n` : ''}data: ${data}\n\n`)
  if (format === 'anthropic-messages') return awsFrame('chunk', { bytes: Buffer.from(data).toString('base64') })
  const [[member, value] = ['unknown', {}]] = Object.entries(isObject(event) ? event : {})
  return awsFrame(member, value)
}

function awsFrame(name: string, body: unknown): Buffer {
  const text = (value: string) => ({ type: 'string' as const, value })
  const headers = { ':message-type': text('event'), ':event-type': text(name), ':content-type': text('application/json') }
  return Buffer.from(codec.encode({ headers, body: Buffer.from(JSON.stringify(body)) }))
}

/** Types do not say that choices are numbered and that a part is of one kind. */
function consistent(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(consistent)
  if (!isObject(answer)) return answer
  const fields = Object.entries(answer).map(
    ([name, value]) => [name, NUMBERED.includes(name) ? numbered(value) : consistent(value)] as const,
  )
  const { text, ...rest } = Object.fromEntries(fields)
  return text === undefined || KINDS.some((kind) => kind in rest) ? rest : { ...rest, text }
}

const NUMBERED: readonly string[] = ['choices', 'candidates']
/** Fields of a part of Gemini, beside the text. */
const KINDS = [
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
]

function numbered(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  return list.map((one: unknown, index) => {
    const own = consistent(one)
    return isObject(own) ? { ...own, index } : own
  })
}

/** Refusals and code that the vendor ran stand between as texts of ours. */
function expectInOrder(text: string, pieces: readonly string[]): void {
  let from = 0
  for (const piece of pieces) {
    const at = text.indexOf(piece, from)
    expect(at, `${piece} in ${text}`).toBeGreaterThanOrEqual(from)
    from = at + piece.length
  }
}
