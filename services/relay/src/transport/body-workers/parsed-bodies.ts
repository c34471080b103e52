import { affinityKeyOf, sessionIn } from '@tollgate/domain/channel-choice/affinity-key'
import { findAffinityRule, nameByRule } from '@tollgate/domain/channel-choice/affinity-rules'
import { findSensitive } from '@tollgate/domain/access/sensitive'
import { countInto } from '@tollgate/domain/pricing/count'
import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import { factsOf, type ModelRequest } from '@tollgate/providers/chat/model-request'
import type { Operation } from '@tollgate/providers/calls/operation'
import { API_FORMATS } from '@tollgate/providers/calls/api-format'
import { encodeFor, route, type PrepareInput } from '@tollgate/upstream/prepare'
import { decodeJsonRequest } from '../body/decode-request.ts'
import { estimatePrompt } from '../../usage/estimate-prompt.ts'
import { promptMessages } from '../../usage/prompt-messages.ts'
import type { Settings } from '../../config/settings.ts'
import { operations } from '../../operations.ts'
import type { EncodeResult, EncodeTask, ReadFacts, ReadTask } from './messages.ts'

type Kept = { readonly request: ModelRequest; readonly operation: Operation; readonly raw: Buffer }

/** The parsed bodies of one worker thread, each kept until it is dropped. */
export class ParsedBodies {
  readonly #kept = new Map<number, Kept>()
  readonly #sample_seed: number

  constructor(sample_seed: number) {
    this.#sample_seed = sample_seed
  }

  get size(): number {
    return this.#kept.size
  }

  read(id: number, { operation: key, route: routeFacts, bytes, user_id, path, headers }: ReadTask, settings: Settings): ReadFacts {
    const { sensitive, is_affine, affinity_rules } = settings
    const operation: Operation = operations[key]
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const request = decodeJsonRequest(raw, { operation, route: routeFacts })
    const { body, texts } = request
    const prompt_tokens = estimatePrompt(request, this.#sample_seed)
    const facts = factsOf(request)
    const rule = findAffinityRule(affinity_rules, { model: facts.model, path })
    const name = rule === undefined ? undefined : nameByRule(rule, { body, headers })
    this.#kept.set(id, { request, operation, raw })
    return {
      facts,
      prompt_tokens,
      has_sensitive: sensitive !== undefined && texts.some((text) => findSensitive(sensitive, text) !== undefined),
      affinity_key: is_affine ? affinityKeyOf({ user_id, body, texts, prompt_tokens, name, session: sessionIn(headers) }) : undefined,
      formats: formatsOf(operation, request),
      obstacle: operation.findObstacle?.(request),
    }
  }

  encode(task: EncodeTask, settings: Settings): EncodeResult {
    const kept = this.#kept.get(task.body)
    if (kept === undefined) throw new Error('a dropped body cannot be encoded')
    const { operation, raw } = kept
    const { channel, key, query, media, without, retry_index, headers, forwarded, model } = task
    const request = model === undefined ? kept.request : { ...kept.request, model }
    const given = { ...task.given, request, raw, count: countInto, settings: settings.conversion }
    const clientHeader = (name: string): string => headers[name] ?? ''
    const call = {
      channel,
      key,
      operation,
      given,
      query,
      without,
      retry_index,
      clientHeader,
      headers: forwarded,
      is_renamed: model !== undefined,
    }
    const input: PrepareInput = { ...call, policy: settings.calls }
    const found = route(input)
    if (found.kind !== 'ok') return { kind: 'unroutable' }
    const urls = media === undefined ? found.translator.media() : []
    if (urls.length > 0) return { kind: 'media', urls }
    const { body, ...rest } = encodeFor(input, found, media === undefined ? {} : { media })
    const { format } = found.translator
    const repeated = operation.answerSettings?.(request) ?? {}
    return { kind: 'encoded', format, body: body === raw ? undefined : toTransferable(body), rest, kept: repeated }
  }

  /** Undefined: the request is no chat, or its body was dropped. */
  describe(id: number): GenAiMessages | undefined {
    const kept = this.#kept.get(id)
    return kept === undefined ? undefined : promptMessages(kept.operation.name, kept.request)
  }

  drop(id: number): void {
    this.#kept.delete(id)
  }
}

/** The client's own format is first, because it is preferred for every vendor that supports it. */
function formatsOf(operation: Operation, request: ModelRequest): ReadFacts['formats'] {
  const own = operation.formatFor(API_FORMATS, request)
  return own === undefined
    ? []
    : [own, ...API_FORMATS.filter((format) => format !== own && operation.formatFor([format], request) !== undefined)]
}

/** Bytes that can be transferred: a small buffer shares its memory with others and is copied. */
function toTransferable(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes)
}
