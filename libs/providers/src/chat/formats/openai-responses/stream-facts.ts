import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CharacterCounts } from '@tollgate/contracts/pricing/character-counts'
import { BaseStreamFacts } from '../../base-stream-facts.ts'
import { toRawUsage, type Finish } from '../../answer-facts.ts'
import { failureInPassing } from '../../ends.ts'
import { readEvents } from '../../whole-answer.ts'
import { objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeFailure, failureAt } from './errors.ts'
import { EventReader } from './event-reader.ts'
import { endOf } from './finish.ts'
import { usageFromResponse } from './usage.ts'

const TEXT_DELTAS = new Set(['response.output_text.delta', 'response.refusal.delta'])
const THOUGHT_DELTAS = new Set(['response.reasoning_summary_text.delta', 'response.reasoning_text.delta'])
const EMPTY_ITEMS = new Set(['message', 'reasoning'])
const CALLS = new Set(['function_call', 'custom_tool_call'])

/** Reads the events of one stream and keeps a few hundred bytes of facts. */
export class ResponsesStreamFacts extends BaseStreamFacts {
  usage: Usage | undefined
  raw_usage: string | undefined
  finish: Finish | undefined
  unknown_end: string | undefined

  /** Reads events with content of the answer. All others pass unread. */
  read(type: string, event: JsonObject): void {
    const delta = textAt(event, 'delta')
    if (type.endsWith('.delta')) this.add(this.#countsOf(type), delta)
    else if (type === 'response.output_item.added') this.#readItem(objectAt(event, 'item'))
    else if (type === 'error') this.failure = decodeFailure(event)
    else if (type === 'response.failed' || type === 'response.cancelled') this.failure = failureAt(event, 'response')
  }

  /** Reads the response in the last event. */
  readResponse(response: JsonObject): void {
    this.usage = usageFromResponse(response)
    this.served_tier = textAt(response, 'service_tier')
    this.raw_usage = this.usage === undefined ? undefined : toRawUsage(response['usage'])
    if (!this.hasContent) this.#readUnsent(response)
    const output: readonly unknown[] = Array.isArray(response['output']) ? response['output'] : []
    const end = endOf(response, output.some(isCall))
    this.finish = end?.finish ?? 'other'
    this.unknown_end = end?.unknown
    this.failure ??= failureInPassing(end, this.hasContent || output.length > 0)
  }

  /** Counts text of an unparsed event that is known to be part of the answer. */
  countUnparsed(type: string, text: string): void {
    this.addUnparsed(this.#countsOf(type), text)
  }

  #countsOf(type: string): CharacterCounts {
    const { text, reasoning, tools } = this.delivered
    if (TEXT_DELTAS.has(type)) return text
    return THOUGHT_DELTAS.has(type) ? reasoning : tools
  }

  #readItem(item: JsonObject): void {
    // A message or reasoning is empty when it starts; other items are work of the vendor.
    this.hasContent ||= !EMPTY_ITEMS.has(textAt(item, 'type') ?? '')
    if (!isCall(item)) return
    this.delivered.tool_calls += 1
    this.add(this.delivered.tools, textAt(item, 'name'))
  }

  /** Some vendors send no deltas: the whole answer is in the last event. */
  #readUnsent(response: JsonObject): void {
    const answer = readEvents(new EventReader().readResponse(response))
    if (answer.kind !== 'answer') return
    for (const text of answer.texts) this.add(this.delivered.text, text)
    for (const text of answer.tool_texts) this.add(this.delivered.tools, text)
  }
}

const isCall = (item: unknown) => CALLS.has(textAt(item, 'type') ?? '')
