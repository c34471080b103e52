import type { Finish } from '../../answer-facts.ts'
import type { VendorSide } from '../../codec.ts'
import { createEventDecoder, type EventReader } from '../../event-decoder.ts'
import type { ModelEvent } from '../../events.ts'
import { isObject, objectAt, objectsAt, parseJsonObject, textAt, type JsonObject } from '../../../json.ts'

const FINISHES: Readonly<Record<string, Finish>> = { completed: 'stop', requires_action: 'tools', incomplete: 'length' }

/** Reads interactions that clients are answered with, for their traces. No vendor is called with the format. */
export const interactionAnswers: Pick<VendorSide, 'createDecoder' | 'decodeAnswer'> = {
  createDecoder: () => createEventDecoder(new StepReader()),
  decodeAnswer: (body) => {
    if (!isObject(body)) return []
    const reader = new StepReader()
    const contents = objectsAt(body, 'steps').flatMap((step, index) => reader.readStep(step, index))
    return [...contents, ...toFinish(body)]
  },
}

const toFinish = ({ status }: JsonObject): ModelEvent[] => {
  const finish = FINISHES[String(status)]
  return finish === undefined ? [] : [{ kind: 'finish', finish }]
}

class StepReader implements EventReader {
  readonly parse = (data: string): JsonObject | undefined => (data.trim() === '[DONE]' ? {} : parseJsonObject(data))
  isDone = false

  read(event: JsonObject): ModelEvent[] {
    const index = Number(event['index'] ?? 0)
    switch (event['event_type']) {
      case 'step.start':
        return this.readStep(objectAt(event, 'step'), index)
      case 'step.delta':
        return this.#readDelta(objectAt(event, 'delta'), index)
      case 'interaction.completed':
        this.isDone = true
        return toFinish(objectAt(event, 'interaction'))
      default:
        return []
    }
  }

  /** A whole step, or the beginning of one whose content follows. */
  readStep(step: JsonObject, index: number): ModelEvent[] {
    if (step['type'] === 'function_call') {
      const call = { kind: 'tool-call', index, id: textAt(step, 'id') ?? '', name: textAt(step, 'name') ?? '' } as const
      const args = objectAt(step, 'arguments')
      return Object.keys(args).length === 0 ? [call] : [call, { kind: 'tool-arguments', index, text: JSON.stringify(args) }]
    }
    const isThought = step['type'] === 'thought'
    const contents: readonly unknown[] = [step[isThought ? 'summary' : 'content']].flat()
    return contents.filter(isObject).flatMap((content) => toContent(content, isThought))
  }

  #readDelta(delta: JsonObject, index: number): ModelEvent[] {
    if (delta['type'] === 'arguments_delta') return [{ kind: 'tool-arguments', index, text: textAt(delta, 'arguments') ?? '' }]
    if (delta['type'] === 'thought_summary') return toContent(objectAt(delta, 'content'), true)
    return toContent(delta, false)
  }
}

function toContent(content: JsonObject, isThought: boolean): ModelEvent[] {
  const [text, data] = [textAt(content, 'text'), textAt(content, 'data')]
  if (text !== undefined) return [{ kind: isThought ? 'reasoning' : 'text', text }]
  if (data === undefined) return []
  if (content['type'] === 'audio') return [{ kind: 'audio', data }]
  return [{ kind: 'image', data, media_type: textAt(content, 'mime_type') ?? 'image/*' }]
}
