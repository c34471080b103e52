import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { AnswerPurpose, StreamDecoder } from '../../codec.ts'
import { failureInPassing, failureInTranslation, isContent } from '../../ends.ts'
import type { ModelEvent } from '../../events.ts'
import type { StreamEnding } from '../../stream.ts'
import { isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '../../../json.ts'
import { SseDecoder, type SseEvent } from '../../../sse/decoder.ts'
import { BlockReader } from './blocks.ts'
import { decodeError } from './errors.ts'
import { endOf } from './stop-reason.ts'
import { mergeUsage, usageFromAnthropic } from './usage.ts'

/** Decodes a Messages stream to events: https://platform.claude.com/docs/en/build-with-claude/streaming */
export function createDecoder(): StreamDecoder {
  return new Decoder()
}

/** Decodes a parsed whole answer to the same events. */
export function decodeAnswer(body: unknown, purpose: AnswerPurpose = 'translation'): ModelEvent[] {
  if (isObject(body) && (body['type'] === 'error' || isObject(body['error']))) return [{ kind: 'failed', failure: decodeError(200, body) }]
  if (!isObject(body) || !Array.isArray(body['content'])) {
    return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no content' } }]
  }
  const blocks = new BlockReader()
  const events: ModelEvent[] = [startEvent(body)]
  for (const [index, block] of body['content'].entries()) {
    if (isObject(block)) events.push(...blocks.begin(index, block), ...blocks.end(index))
  }
  return [...events, ...usageEvents(objectAt(body, 'usage')), ...finishEvents(body, events.some(isContent), purpose)]
}

class Decoder implements StreamDecoder {
  readonly #sse = new SseDecoder()
  readonly #blocks = new BlockReader()
  #early: JsonObject = {}
  #isDone = false
  #hasFinish = false
  #hasContent = false
  #failure: UpstreamFailure | undefined
  unreadable = 0

  get isDone(): boolean {
    return this.#isDone
  }

  push(chunk: Buffer): ModelEvent[] {
    return this.#readAll(this.#sse.push(chunk))
  }

  end(): { events: ModelEvent[]; ending: StreamEnding } {
    const events = this.#readAll(this.#sse.end())
    return { events, ending: this.#ending() }
  }

  #ending(): StreamEnding {
    if (this.#failure !== undefined) return 'failed'
    if (this.#isDone) return 'done'
    return this.#hasFinish ? 'finished' : 'cut'
  }

  #readAll(list: readonly SseEvent[]): ModelEvent[] {
    const events: ModelEvent[] = []
    for (const { data } of list) {
      if (this.#isDone || this.#failure !== undefined) return events
      if (data === undefined) continue
      for (const read of this.#read(data)) {
        this.#hasContent ||= isContent(read)
        events.push(read)
      }
    }
    if (this.#sse.isOverflown && this.#failure === undefined && !this.#isDone) {
      events.push(this.#fail({ kind: 'malformed', message: 'upstream sent an event larger than can be read' }))
    }
    return events
  }

  #read(data: string): ModelEvent[] {
    const event = parseJsonObject(data)
    if (event === undefined) {
      this.unreadable += 1
      return []
    }
    const { type, index } = event
    if (type === 'error' || isObject(event['error'])) return [this.#fail(decodeError(200, event))]
    if (type === 'content_block_delta') return this.#blocks.grow(index, objectAt(event, 'delta'))
    if (type === 'content_block_start') return this.#blocks.begin(index, objectAt(event, 'content_block'))
    if (type === 'content_block_stop') return this.#blocks.end(index)
    if (type === 'message_start') {
      const message = objectAt(event, 'message')
      this.#early = objectAt(message, 'usage')
      return [startEvent(message, this.#early)]
    }
    if (type === 'message_delta') return this.#readEnd(event)
    if (type === 'message_stop') this.#isDone = true
    return []
  }

  /** Can occur more than once: usage covers the whole message each time, the finish is emitted once. */
  #readEnd(event: JsonObject): ModelEvent[] {
    const late = event['usage']
    const usage = isObject(late) ? usageEvents(mergeUsage(this.#early, late)) : []
    const finish = this.#hasFinish ? [] : finishEvents(objectAt(event, 'delta'), this.#hasContent)
    this.#hasFinish ||= finish.length > 0
    for (const last of finish) if (last.kind === 'failed') this.#failure = last.failure
    return [...usage, ...finish]
  }

  #fail(failure: UpstreamFailure): ModelEvent {
    this.#failure = failure
    return { kind: 'failed', failure }
  }
}

function startEvent(message: JsonObject, early?: JsonObject): ModelEvent {
  const id = textAt(message, 'id')
  const model = textAt(message, 'model')
  const usage = usageFromAnthropic(early)
  return {
    kind: 'start',
    ...(id === undefined ? {} : { id }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  }
}

function usageEvents(raw: JsonObject): ModelEvent[] {
  const usage = usageFromAnthropic(raw)
  return usage === undefined ? [] : [{ kind: 'usage', usage, raw }]
}

/** The explanation of a refusal becomes refusal text: https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback */
function finishEvents(message: JsonObject, hasContent: boolean, purpose: AnswerPurpose = 'translation'): ModelEvent[] {
  const end = endOf(message['stop_reason'])
  if (end === undefined) return []
  const failure = (purpose === 'pass-through' ? failureInPassing : failureInTranslation)(end, hasContent)
  if (failure !== undefined) return [{ kind: 'failed', failure }]
  const { finish, unknown } = end
  const stop_sequence = textAt(message, 'stop_sequence')
  const explanation = textAt(objectAt(message, 'stop_details'), 'explanation')
  const refusal: ModelEvent[] = finish === 'filter' && explanation !== undefined ? [{ kind: 'refusal', text: explanation }] : []
  return [
    ...refusal,
    { kind: 'finish', finish, ...(stop_sequence === undefined ? {} : { stop_sequence }), ...(unknown === undefined ? {} : { unknown }) },
  ]
}
