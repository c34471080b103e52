import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput, StreamEncoder, StreamFrame } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { isLogprobs, type LogprobsEvent } from '../../logprobs.ts'
import type { JsonObject } from '../../../json.ts'
import { AnswerParts } from './answer-parts.ts'
import { frameChunk, frameEnd } from './frame.ts'
import { toLogprobsResult } from './logprobs.ts'
import { toGeminiUsage } from './usage.ts'

/**
 * Encodes events as a stream of this format. Calls are sent whole. The finish reason is sent after settlement, because it alone tells the
 * client that the answer is complete.
 */
export function createGeminiEncoder(input: AnswerInput): StreamEncoder {
  return new Encoder(input)
}

class Encoder implements StreamEncoder {
  readonly #parts = new AnswerParts()
  readonly #input: AnswerInput
  readonly #frame: StreamFrame
  #head: { readonly id: string | undefined; readonly json: string } | undefined
  #isFirst = true

  constructor(input: AnswerInput) {
    this.#input = input
    this.#frame = input.frame ?? 'sse'
  }

  get warnings(): readonly string[] {
    return this.#parts.warnings.entries
  }

  push(event: ModelEvent): string {
    if (isLogprobs(event)) return this.#pushLogprobs(event)
    const parts = this.#parts.read(event)
    if (parts.length === 0) return ''
    return this.#frameJson(`{"candidates":[{"content":{"parts":${JSON.stringify(parts)},"role":"model"},"index":0}]${this.#headJson()}}`)
  }

  #pushLogprobs(event: LogprobsEvent): string {
    const candidate = { content: { parts: [{ text: '' }], role: 'model' }, index: 0, logprobsResult: toLogprobsResult([event]) }
    return this.#frameJson(`{"candidates":[${JSON.stringify(candidate)}]${this.#headJson()}}`)
  }

  closing(usage: Usage): string {
    const rest = this.#parts.rest()
    // Google's clients keep a turn only if each of its contents has a part.
    const content = { parts: rest.length === 0 ? [{ text: '' }] : rest, role: 'model' }
    const last = { candidates: [{ content, ...this.#parts.ending() }], usageMetadata: toGeminiUsage(usage) }
    return this.#frameJson(JSON.stringify({ ...last, ...headOf(this.#parts, this.#input) })) + frameEnd(this.#frame)
  }

  /** The constant end of every chunk, written once. */
  #headJson(): string {
    const { id } = this.#parts
    if (this.#head === undefined || this.#head.id !== id)
      this.#head = { id, json: `,${JSON.stringify(headOf(this.#parts, this.#input)).slice(1, -1)}` }
    return this.#head.json
  }

  #frameJson(json: string): string {
    const framed = frameChunk(this.#frame, json, this.#isFirst)
    this.#isFirst = false
    return framed
  }
}

/** Encodes an answer as one body. */
export function encodeGeminiAnswer(
  events: readonly ModelEvent[],
  input: AnswerInput,
): { readonly body: JsonObject; readonly warnings: readonly string[] } {
  const encoder = new AnswerParts()
  const parts: JsonObject[] = []
  let usage: Usage | undefined
  const logprobs = events.filter(isLogprobs)
  let isBroken = false
  for (const event of events) {
    if (isLogprobs(event)) continue
    if (event.kind === 'usage') usage = event.usage
    for (const part of encoder.read(event)) {
      addJoined(parts, part, isBroken)
      isBroken = false
    }
    if (event.kind === 'block-break') isBroken = true
  }
  for (const part of encoder.rest()) parts.push(part)
  const content = { parts: parts.length === 0 ? [{ text: '' }] : parts, role: 'model' }
  const body = {
    candidates: [{ content, ...encoder.ending(), ...(logprobs.length === 0 ? {} : { logprobsResult: toLogprobsResult(logprobs) }) }],
    ...(usage === undefined ? {} : { usageMetadata: toGeminiUsage(usage) }),
    ...headOf(encoder, input),
  }
  return { body, warnings: encoder.warnings.entries }
}

/** Pieces of one text become one part; a signature joins the thought it belongs to. */
function addJoined(parts: JsonObject[], part: JsonObject, isBroken: boolean): void {
  const last = parts.at(-1)
  const isText = typeof part['text'] === 'string' && typeof last?.['text'] === 'string'
  const isSameKind = last?.['thought'] === part['thought'] && last?.['thoughtSignature'] === undefined
  if (!isText || !isSameKind || isBroken) parts.push(part)
  else parts[parts.length - 1] = { ...last, ...part, text: `${String(last?.['text'])}${String(part['text'])}` }
}

function headOf({ id }: AnswerParts, input: AnswerInput): JsonObject {
  return { modelVersion: input.model, responseId: id ?? input.id }
}
