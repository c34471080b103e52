import { conversationSeed } from '@tollgate/domain/channel-choice/conversation-seed'
import { findSensitive } from '@tollgate/domain/access/sensitive'
import { countInto } from '@tollgate/domain/pricing/count'
import { factsOf, type ModelAsk } from '@tollgate/providers/conversation/ask'
import type { Operation } from '@tollgate/providers/exchange/operation'
import { WIRES } from '@tollgate/providers/exchange/wire'
import { encodeFor, route, type PrepareInput } from '@tollgate/upstream/prepare'
import { decodeJsonAsk } from '../intake/decode-ask.ts'
import { estimatePrompt } from '../pipeline/estimate-prompt.ts'
import type { Settings } from '../settings.ts'
import { operations } from '../surfaces/operations.ts'
import type { EncodeResult, EncodeTask, ReadFacts, ReadTask } from './messages.ts'

type Kept = { readonly ask: ModelAsk; readonly operation: Operation; readonly raw: Buffer }

/** Bodies that were read, as trees, each until it is dropped. Lives in a thread of its own. */
export class Shelf {
  readonly #kept = new Map<number, Kept>()
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  get size(): number {
    return this.#kept.size
  }

  read(id: number, { operation: key, route: said, bytes, user_id }: ReadTask, { sensitive, is_affine }: Settings): ReadFacts {
    const operation: Operation = operations[key]
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const ask = decodeJsonAsk(raw, { operation, route: said })
    const { body, texts } = ask
    const prompt_tokens = estimatePrompt(ask, this.#random)
    this.#kept.set(id, { ask, operation, raw })
    return {
      facts: factsOf(ask),
      prompt_tokens,
      has_sensitive: sensitive !== undefined && texts.some((text) => findSensitive(sensitive, text) !== undefined),
      seed: is_affine ? conversationSeed({ user_id, body, texts, prompt_tokens }) : undefined,
      wires: wiresOf(operation, ask),
      obstacle: operation.findObstacle?.(ask),
    }
  }

  encode(task: EncodeTask, settings: Settings): EncodeResult {
    const kept = this.#kept.get(task.body)
    if (kept === undefined) throw new Error('a body that was dropped cannot be encoded')
    const { ask, operation, raw } = kept
    const { channel, key, query, media } = task
    const given = { ...task.given, ask, raw, count: countInto, settings: settings.conversion }
    const input: PrepareInput = { channel, key, operation, given, query, policy: settings.calls }
    const found = route(input)
    if (found.kind !== 'ok') return { kind: 'unroutable' }
    const urls = media === undefined ? found.plan.media() : []
    if (urls.length > 0) return { kind: 'media', urls }
    const { body, ...rest } = encodeFor(input, found, media === undefined ? {} : { media })
    return { kind: 'encoded', body: body === raw ? undefined : owned(body), rest, kept: operation.keptOf?.(ask) ?? {} }
  }

  drop(id: number): void {
    this.#kept.delete(id)
  }
}

/** The client's own format first: it is chosen wherever a vendor speaks it. */
function wiresOf(operation: Operation, ask: ModelAsk): ReadFacts['wires'] {
  const own = operation.wireFor(WIRES, ask)
  return own === undefined ? [] : [own, ...WIRES.filter((wire) => wire !== own && operation.wireFor([wire], ask) !== undefined)]
}

/** Bytes that can leave the thread by themselves: a small buffer shares its memory with others. */
function owned(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes)
}
