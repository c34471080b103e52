import type { Usage } from '@tollgate/contracts/pricing/quote'
import { BaseStreamFacts } from '../../base-stream-facts.ts'
import type { Delivered } from '../../stream.ts'
import { toRawUsage, type Finish } from '../../answer-facts.ts'
import { failureInPassing } from '../../ends.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeError } from './errors.ts'
import { endOf } from './stop-reason.ts'
import { mergeUsage, usageFromAnthropic } from './usage.ts'

export type EventKind = 'content' | 'stop' | 'failed'

/** Reads the events of one stream and keeps a few hundred bytes of facts. */
export class MessageStreamFacts extends BaseStreamFacts {
  usage: Usage | undefined
  early_usage: Usage | undefined
  raw_usage: string | undefined
  finish: Finish | undefined
  unknown_end: string | undefined
  /** The vendor's id of the message. */
  id: string | undefined
  /** The container that the answer used. */
  container_id: string | undefined
  #early: JsonObject = {}

  /** Reads one event. */
  readEvent(event: JsonObject): EventKind {
    const { type } = event
    if (type === 'error' || isObject(event['error'])) {
      this.failure = decodeError(200, event)
      return 'failed'
    }
    this.hasBegun ||= type !== 'ping'
    if (type === 'content_block_delta') this.#readDelta(objectAt(event, 'delta'))
    else if (type === 'content_block_start') this.#readBlock(objectAt(event, 'content_block'))
    else if (type === 'message_start') {
      const message = objectAt(event, 'message')
      this.id = textAt(message, 'id')
      this.#readContainer(message)
      this.readStart(message['usage'])
    } else if (type === 'message_delta') {
      const delta = objectAt(event, 'delta')
      this.#readContainer(delta)
      this.readEnd(delta['stop_reason'], event['usage'])
    }
    if (this.failure !== undefined) return 'failed'
    return type === 'message_stop' ? 'stop' : 'content'
  }

  readStart(usage: unknown): void {
    if (!isObject(usage)) return
    this.#early = usage
    this.early_usage = usageFromAnthropic(usage)
  }

  readEnd(stop_reason: unknown, late: unknown): void {
    const end = endOf(stop_reason)
    this.finish = end?.finish ?? this.finish
    this.unknown_end = end?.unknown
    this.failure ??= failureInPassing(end, this.hasContent)
    if (!isObject(late)) return
    const merged = mergeUsage(this.#early, late)
    this.usage = usageFromAnthropic(merged)
    this.raw_usage = this.usage === undefined ? undefined : toRawUsage(merged)
  }

  /** Counts text of an unparsed event that is known to be part of the answer. */
  countUnparsed(kind: keyof Omit<Delivered, 'tool_calls'>, text: string): void {
    this.addUnparsed(this.delivered[kind], text)
  }

  /** Records an unparsed event that is part of the answer but not text. */
  noteContent(): void {
    this.hasBegun = true
    this.hasContent = true
  }

  #readContainer(owner: JsonObject): void {
    this.container_id = textAt(objectAt(owner, 'container'), 'id') ?? this.container_id
  }

  #readDelta(delta: JsonObject): void {
    this.add(this.delivered.text, textAt(delta, 'text'))
    this.add(this.delivered.reasoning, textAt(delta, 'thinking'))
    this.add(this.delivered.tools, textAt(delta, 'partial_json'))
    if (delta['type'] === 'signature_delta' || delta['type'] === 'citations_delta') this.hasContent = true
  }

  #readBlock(block: JsonObject): void {
    const { type } = block
    if (type === 'text') this.add(this.delivered.text, textAt(block, 'text'))
    else if (type === 'thinking') this.add(this.delivered.reasoning, textAt(block, 'thinking'))
    else {
      this.hasContent = true
      if (type === 'tool_use') this.delivered.tool_calls += 1
      if (type === 'tool_use' || type === 'server_tool_use') this.add(this.delivered.tools, textAt(block, 'name'))
    }
  }
}
