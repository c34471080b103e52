import type { Usage } from '@tollgate/contracts/pricing/quote'
import { BaseStreamFacts } from '../../base-stream-facts.ts'
import { toRawUsage, type Finish } from '../../answer-facts.ts'
import { failureInPassing, NO_END, type End } from '../../ends.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeChunkError } from './errors.ts'
import { endOf } from './finish.ts'
import { readReasoning } from './reasoning-field.ts'
import { usageFromOpenAi } from './usage.ts'

export type ChunkKind = 'content' | 'usage-only' | 'failed'

/** Reads the chunks of one stream and keeps a few hundred bytes of facts. */
export class ChatStreamFacts extends BaseStreamFacts {
  usage: Usage | undefined
  raw_usage: string | undefined
  #end: End | undefined
  override answers: number | undefined = 1
  /** id, created and model of the first chunk, for a chunk that this gateway adds. */
  head: JsonObject = {}

  get finish(): Finish | undefined {
    return this.#end?.finish
  }

  get unknown_end(): string | undefined {
    return this.#end?.unknown
  }

  /** Reads the end marker; an answer without content must have ended well. */
  readDone(): 'done' | 'failed' {
    const isSilent = this.#end === undefined && this.usage === undefined && this.hasBegun && !this.hasContent
    this.failure ??= isSilent ? NO_END : failureInPassing(this.#end, this.hasContent)
    return this.failure === undefined ? 'done' : 'failed'
  }

  /** Reads one chunk. */
  readChunk(chunk: JsonObject, isErrorEvent: boolean): ChunkKind {
    this.failure = decodeChunkError(chunk, isErrorEvent)
    if (this.failure !== undefined) return 'failed'
    this.hasBegun = true
    if (this.head['id'] === undefined) this.head = headOf(chunk)
    this.served_tier = textAt(chunk, 'service_tier') ?? this.served_tier
    this.served_model = textAt(chunk, 'model') ?? this.served_model
    const choices: readonly unknown[] = Array.isArray(chunk['choices']) ? chunk['choices'] : []
    for (const choice of choices) this.#readChoice(choice)
    const hasUsage = this.#readUsage(chunk['usage']) || this.#readUsage(objectAt(chunk, 'x_groq')['usage'])
    return hasUsage && choices.length === 0 ? 'usage-only' : 'content'
  }

  /** Counts text of an unparsed event that is known to be part of the answer. */
  countUnparsed(text: string): void {
    this.addUnparsed(this.delivered.text, text)
  }

  /** Records an unparsed event that is part of the answer but not text. */
  noteContent(): void {
    this.hasBegun = true
    this.hasContent = true
  }

  /** Takes usage and finish from the end of an unparsed event. */
  readTail(usage: unknown, finish_reason: unknown): void {
    this.#readUsage(usage)
    this.#end = endOf(finish_reason) ?? this.#end
  }

  #readChoice(choice: unknown): void {
    if (!isObject(choice)) return
    this.countAnswer(choice['index'])
    this.#end = endOf(choice['finish_reason']) ?? this.#end
    // Moonshot sends the usage of a stream in its last choice: https://platform.moonshot.cn/docs/api/chat
    this.#readUsage(choice['usage'])
    const delta = objectAt(choice, isObject(choice['delta']) ? 'delta' : 'message')
    this.add(this.delivered.text, textAt(delta, 'content') ?? textAt(choice, 'text'))
    this.add(this.delivered.text, textAt(delta, 'refusal'))
    this.add(this.delivered.reasoning, readReasoning(delta))
    if (isObject(delta['audio']) || LISTS.some((name) => isFilled(delta[name]))) this.hasContent = true
    if (isObject(delta['function_call'])) this.#readCall({ function: delta['function_call'] })
    if (Array.isArray(delta['tool_calls'])) for (const call of delta['tool_calls']) this.#readCall(call)
  }

  #readCall(call: unknown): void {
    const called = objectAt(call, isObject(call) && isObject(call['custom']) ? 'custom' : 'function')
    const name = textAt(called, 'name')
    if (name !== undefined) this.delivered.tool_calls += 1
    this.add(this.delivered.tools, name)
    this.add(this.delivered.tools, textAt(called, 'arguments') ?? textAt(called, 'input'))
  }

  #readUsage(raw: unknown): boolean {
    if (!isObject(raw)) return false
    const usage = usageFromOpenAi(raw)
    if (usage === undefined) return true
    this.usage = usage
    this.raw_usage = toRawUsage(raw)
    return true
  }
}

/** Content that is not text: parts, images, encrypted reasoning. */
const LISTS = ['content', 'images', 'reasoning_details']
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0

function headOf(chunk: JsonObject): JsonObject {
  const { id, created, model } = chunk
  const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 256
  return {
    ...(isShort(id) ? { id } : {}),
    ...(typeof created === 'number' ? { created } : {}),
    ...(isShort(model) ? { model } : {}),
  }
}
