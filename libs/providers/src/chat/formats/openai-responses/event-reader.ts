import { ownValue } from '@tollgate/contracts/values/own-value'
import type { ModelEvent } from '../../events.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { countAt, isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { CallReader } from './call-reader.ts'
import { failureAt, decodeFailure } from './errors.ts'
import { endOf } from './finish.ts'
import { openReasoning } from './encrypted-reasoning.ts'
import { readLogprobs } from './logprobs.ts'
import { usageFromResponse } from './usage.ts'

/** Items whose text was received in deltas, so that it is not read again when the item is done. */
type Seen = { text: boolean; reasoning: boolean }

/**
 * Reads the events of a response stream, or a whole response. Deltas come first; whole items and responses add only what no delta
 * contained.
 */
export class EventReader {
  readonly #calls = new CallReader()
  readonly #seen = new Map<string, Seen>()
  /** The item of the last event: another item of its kind is another block. */
  #last: { readonly key: string; readonly kind: 'text' | 'reasoning' } | undefined
  #hasStarted = false
  /** The last event was received. */
  isOver = false

  read(event: JsonObject): ModelEvent[] {
    const type = textAt(event, 'type') ?? ''
    if (type === 'error') return this.#fail(decodeFailure(event))
    if (type === 'response.failed' || type === 'response.cancelled') return this.#fail(failureAt(event, 'response'))
    const told = () => ownValue(READERS, type)?.(this, event) ?? []
    if (this.#hasStarted) return told()
    this.#hasStarted = true
    return [toStart(objectAt(event, 'response')), ...told()]
  }

  /** Reads a complete response: the output that was not received before, usage and finish. */
  readResponse(response: JsonObject): ModelEvent[] {
    const output: readonly unknown[] = Array.isArray(response['output']) ? response['output'] : []
    const events = output.flatMap((item, index) => (isObject(item) ? this.readItem(item, `#${index}`) : []))
    const usage = usageFromResponse(response)
    const raw = objectAt(response, 'usage')
    this.isOver = true
    return [
      ...events,
      ...this.#calls.end(),
      ...(usage === undefined ? [] : [{ kind: 'usage', usage, raw } as const]),
      this.#endOf(response),
    ]
  }

  #endOf(response: JsonObject): ModelEvent {
    const { finish = 'stop', failure } = endOf(response, this.#calls.count > 0) ?? {}
    return failure === undefined ? { kind: 'finish', finish } : { kind: 'failed', failure }
  }

  readText(kind: 'text' | 'refusal', event: JsonObject): ModelEvent[] {
    const text = textAt(event, 'delta')
    if (text === undefined) return []
    const key = `${keyOf(event)}/${countAt(event, 'content_index')}`
    this.#seenAt(keyOf(event)).text = true
    return [...this.#breakAt(key, 'text'), { kind, text }, ...readLogprobs(event)]
  }

  readReasoning(event: JsonObject): ModelEvent[] {
    const text = textAt(event, 'delta')
    if (text === undefined) return []
    const key = `${keyOf(event)}/${countAt(event, 'summary_index') || countAt(event, 'content_index')}`
    this.#seenAt(keyOf(event)).reasoning = true
    return [...this.#breakAt(key, 'reasoning'), { kind: 'reasoning', text }]
  }

  readAdded(event: JsonObject): ModelEvent[] {
    const item = objectAt(event, 'item')
    return CALLS.has(textAt(item, 'type') ?? '') ? this.#calls.open(item, keyOf(event)) : []
  }

  readPiece(event: JsonObject): ModelEvent[] {
    return this.#calls.write(keyOf(event), textAt(event, 'delta') ?? '')
  }

  readWhole(event: JsonObject): ModelEvent[] {
    return this.#calls.close(keyOf(event), textAt(event, 'arguments') ?? textAt(event, 'input') ?? '')
  }

  /** Reads a finished item, once per position in the output. */
  readItem(item: JsonObject, key: string): ModelEvent[] {
    const seen = this.#seenAt(key)
    const type = textAt(item, 'type') ?? ''
    if (CALLS.has(type))
      return [...this.#calls.open(item, key), ...this.#calls.close(key, textAt(item, 'arguments') ?? textAt(item, 'input') ?? '')]
    if (this.#done.has(key)) return []
    this.#done.add(key)
    if (type === 'message') return seen.text ? [] : this.#readMessage(item, key)
    if (type === 'reasoning') return this.#readThoughts(item, key, seen.reasoning)
    const result = textAt(item, 'result')
    if (type === 'image_generation_call' && result !== undefined) {
      return [{ kind: 'image', media_type: `image/${textAt(item, 'output_format') ?? 'png'}`, data: result }]
    }
    return [{ kind: 'vendor-specific', by: 'openai-responses', type, raw: item }]
  }

  readonly #done = new Set<string>()

  #readMessage(item: JsonObject, key: string): ModelEvent[] {
    const parts: readonly unknown[] = Array.isArray(item['content']) ? item['content'] : []
    return parts.flatMap((part, index): ModelEvent[] => {
      const refusal = textAt(part, 'refusal')
      const text = textAt(part, 'text') ?? refusal
      if (text === undefined || !isObject(part)) return []
      const said = { kind: refusal === undefined ? 'text' : 'refusal', text } as const
      const annotations: readonly unknown[] = Array.isArray(part['annotations']) ? part['annotations'] : []
      return [...this.#breakAt(`${key}/${index}`, 'text'), said, ...readLogprobs(part), ...annotations.filter(isObject).map(toCitation)]
    })
  }

  /** The signature follows its reasoning; without reasoning it becomes redacted reasoning. */
  #readThoughts(item: JsonObject, key: string, isSeen: boolean): ModelEvent[] {
    const texts = (list: unknown) => (Array.isArray(list) ? list.flatMap((part) => textAt(part, 'text') ?? []) : [])
    const summary = texts(item['summary'])
    const unseen = isSeen ? [] : summary.length > 0 ? summary : texts(item['content'])
    const told = unseen.flatMap((text, index): ModelEvent[] => [
      ...this.#breakAt(`${key}/${index}`, 'reasoning'),
      { kind: 'reasoning', text },
    ])
    const proof = openReasoning(isSeen || unseen.length > 0 ? 'told' : '', textAt(item, 'encrypted_content'))
    if (proof?.kind === 'redacted-thinking') return [{ kind: 'redacted-reasoning', data: proof.data, by: proof.by }]
    const signature = proof?.signature
    return signature === undefined ? told : [...told, { kind: 'reasoning-signature', signature, by: proof?.by ?? 'openai-responses' }]
  }

  #breakAt(key: string, kind: 'text' | 'reasoning'): ModelEvent[] {
    const isOther = this.#last !== undefined && this.#last.kind === kind && this.#last.key !== key
    this.#last = { key, kind }
    return isOther ? [{ kind: 'block-break' }] : []
  }

  #seenAt(key: string): Seen {
    const seen = this.#seen.get(key) ?? { text: false, reasoning: false }
    this.#seen.set(key, seen)
    return seen
  }

  #fail(failure: ReturnType<typeof decodeFailure>): ModelEvent[] {
    this.isOver = true
    return [{ kind: 'failed', failure }]
  }
}

export function toStart(response: JsonObject): ModelEvent {
  return omitUndefined<Extract<ModelEvent, { kind: 'start' }>>({
    kind: 'start',
    id: textAt(response, 'id'),
    model: textAt(response, 'model'),
  })
}

const CALLS = new Set(['function_call', 'custom_tool_call'])

/** Items are identified by their position in the output: some vendors omit ids, others change them between events. */
function keyOf(event: JsonObject): string {
  const { output_index } = event
  return typeof output_index === 'number' ? `#${output_index}` : `id:${textAt(event, 'item_id') ?? textAt(event['item'], 'id') ?? ''}`
}

const READERS: Readonly<Record<string, (reader: EventReader, event: JsonObject) => ModelEvent[]>> = {
  'response.output_text.delta': (reader, event) => reader.readText('text', event),
  'response.refusal.delta': (reader, event) => reader.readText('refusal', event),
  'response.reasoning_summary_text.delta': (reader, event) => reader.readReasoning(event),
  'response.reasoning_text.delta': (reader, event) => reader.readReasoning(event),
  'response.output_item.added': (reader, event) => reader.readAdded(event),
  'response.output_item.done': (reader, event) => reader.readItem(objectAt(event, 'item'), keyOf(event)),
  'response.function_call_arguments.delta': (reader, event) => reader.readPiece(event),
  'response.function_call_arguments.done': (reader, event) => reader.readWhole(event),
  'response.custom_tool_call_input.delta': (reader, event) => reader.readPiece(event),
  'response.custom_tool_call_input.done': (reader, event) => reader.readWhole(event),
  'response.output_text.annotation.added': (_, event) => (isObject(event['annotation']) ? [toCitation(event['annotation'])] : []),
  'response.completed': (reader, event) => reader.readResponse(objectAt(event, 'response')),
  'response.incomplete': (reader, event) => reader.readResponse(objectAt(event, 'response')),
  // Sent by versions before `completed`, and by gateways.
  'response.done': (reader, event) => reader.readResponse(objectAt(event, 'response')),
}

function toCitation(raw: JsonObject): ModelEvent {
  return omitUndefined<Extract<ModelEvent, { kind: 'citation' }>>({
    kind: 'citation',
    url: textAt(raw, 'url'),
    title: textAt(raw, 'title'),
    raw,
  })
}
