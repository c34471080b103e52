import type { Usage } from '@tollgate/contracts/quote'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import { OutboundError, type OutboundFailure } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import { decodeUpstreamError } from '@tollgate/providers/dialects/openai-chat/errors'
import { readChatAnswer } from '@tollgate/providers/dialects/openai-chat/response'
import { usageFromOpenAi } from '@tollgate/providers/dialects/openai-chat/usage'
import { isObject, type JsonObject } from '@tollgate/providers/json'
import type { PreparedCall } from './call.ts'
import { prepare } from './prepare.ts'
import { send } from './send.ts'

export type ProbeInput = {
  readonly channel: ChannelSnapshot
  /** The channel's key in clear. */
  readonly key: string
  /** The name a client would ask for; the channel's mapping applies. */
  readonly model: string
  readonly signal?: AbortSignal
  readonly timeout_ms?: number
}

export type ProbeResult = {
  readonly ok: boolean
  readonly time_ms: number
  /** Empty when it went well; at most 500 characters, and upstream's text only from an HTTP answer. */
  readonly message: string
  readonly usage?: Usage
}

const TIMEOUT_MS = 25_000
const MAX_ANSWER = 4 * 1024 * 1024

/** One short question to a channel on the same way that clients' calls take: mapping, overrides, address, proxy. */
export async function testChannel(outbound: Pick<Outbound, 'dispatch' | 'dispatchFresh'>, input: ProbeInput): Promise<ProbeResult> {
  const started = performance.now()
  const timeOf = () => Math.round(performance.now() - started)
  const call = prepareProbe(input)
  if ('message' in call) return { ok: false, time_ms: timeOf(), message: call.message }
  try {
    const { status, text } = await collect(outbound, call, input)
    const read = readProbe(status, text, isEmbedding(input.channel, input.model))
    return { ...read, time_ms: timeOf() }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { ok: false, time_ms: timeOf(), message: LOCAL_TEXTS[error.failure] }
  }
}

/** Addresses and system texts stay inside: what a connection's failure shows is chosen here. */
const LOCAL_TEXTS: Readonly<Record<OutboundFailure, string>> = {
  blocked: '上游地址不允许访问 (address not allowed)',
  dns: '上游域名无法解析 (name not found)',
  connect: '无法连接上游 (connection failed)',
  timeout: '上游响应超时 (timeout)',
  reset: '上游断开了连接 (connection closed)',
  aborted: '测试已取消 (cancelled)',
  'too-large': '上游返回内容过大 (answer too large)',
  malformed: '上游返回了无法解析的内容 (unreadable answer)',
  invalid: '上游地址无效 (invalid address)',
}

function prepareProbe({ channel, key, model }: ProbeInput): PreparedCall | { readonly message: string } {
  const embedding = isEmbedding(channel, model)
  const body: JsonObject = embedding
    ? { model, input: ['hello world'] }
    : { model, messages: [{ role: 'user', content: 'hi' }], ...limitOf(model) }
  const prepared = prepare({ channel, key, model, is_stream: false, raw: Buffer.from(JSON.stringify(body)), body })
  if (prepared.kind === 'mapping-cycle') return { message: 'model_mapping_contains_cycle' }
  if (prepared.kind === 'unsupported') return { message: prepared.detail }
  return embedding ? { ...prepared.call, path: prepared.call.path.replace(/\/chat\/completions(?=$|\?)/, '/embeddings') } : prepared.call
}

const MOKA = 44

function isEmbedding({ type }: Pick<ChannelSnapshot, 'type'>, model: string): boolean {
  return type === MOKA || model.includes('embed') || model.includes('bge-') || model.startsWith('m3e')
}

/** How long the answer may be, by the model's name. */
function limitOf(model: string): JsonObject {
  if (model.startsWith('o')) return { max_completion_tokens: 10 }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: model.includes('gemini') ? 300 : 10 }
}

type Answer = { readonly status: number; readonly text: string }

function collect(
  outbound: Pick<Outbound, 'dispatch' | 'dispatchFresh'>,
  call: PreparedCall,
  { signal, timeout_ms = TIMEOUT_MS }: ProbeInput,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    const stop = () => sending.abort()
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const sending = send(
      outbound,
      call,
      {
        onHead: (answered) => {
          status = answered
        },
        onData: (chunk) => {
          size += chunk.length
          if (size > MAX_ANSWER) sending.abort(new OutboundError('too-large', 'the answer is too large'))
          else chunks.push(chunk)
        },
        onEnd: () => {
          leave()
          resolve({ status, text: Buffer.concat(chunks).toString() })
        },
        onError: (error) => {
          leave()
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

function readProbe(status: number, text: string, embedding: boolean): Omit<ProbeResult, 'time_ms'> {
  if (status < 200 || status > 299) return refused(status, decodeUpstreamError(status, text))
  const body = parse(text)
  if (embedding) return readEmbedding(body)
  const read = readChatAnswer(body)
  if (read.kind === 'failed') return refused(read.failure.status ?? status, read.failure)
  return { ok: true, message: '', ...(read.usage === undefined ? {} : { usage: read.usage }) }
}

function readEmbedding(body: unknown): Omit<ProbeResult, 'time_ms'> {
  if (!isObject(body) || !Array.isArray(body['data'])) return { ok: false, message: LOCAL_TEXTS.malformed }
  const usage = usageFromOpenAi(body['usage'])
  return { ok: true, message: '', ...(usage === undefined ? {} : { usage }) }
}

function refused(status: number, { message }: UpstreamFailure): Omit<ProbeResult, 'time_ms'> {
  return { ok: false, message: `status code ${status}: ${message}`.slice(0, 500) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: the reader of the answer says what that means.
    return undefined
  }
}
