import type { Finish } from '../chat/answer-facts.ts'
import type { ModelEvent } from '../chat/events.ts'
import { objectAt, objectsAt, parseJsonObject, textAt } from '../json.ts'

function callEvents(index: number, id: string, name: string, args: string): ModelEvent[] {
  return [
    { kind: 'tool-call', index, id, name },
    { kind: 'tool-arguments', index, text: args },
  ]
}

const FINISHES: Readonly<Record<string, Finish>> = { max_output_tokens: 'length', content_filter: 'filter' }

/**
 * Calls of tools and the end of a realtime response, from its last event. Its texts came piece by piece.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
export function realtimeEndEvents(text: string): ModelEvent[] {
  const response = objectAt(parseJsonObject(text), 'response')
  const calls = objectsAt(response, 'output').filter(({ type }) => type === 'function_call')
  const events = calls.flatMap((call, index) =>
    callEvents(index, textAt(call, 'call_id') ?? '', textAt(call, 'name') ?? '', textAt(call, 'arguments') ?? ''),
  )
  const { status } = response
  if (status === 'completed') return [...events, { kind: 'finish', finish: calls.length > 0 ? 'tools' : 'stop' }]
  const reason = textAt(objectAt(response, 'status_details'), 'reason') ?? ''
  return status === 'incomplete' ? [...events, { kind: 'finish', finish: FINISHES[reason] ?? 'other' }] : events
}

/** Content of a message of Google's Live API, and of the client's speech as the vendor understood it. https://ai.google.dev/api/live */
export function liveEvents(text: string): { readonly events: readonly ModelEvent[]; readonly heard: string } {
  const message = parseJsonObject(text) ?? {}
  const content = objectAt(message, 'serverContent')
  const parts = objectsAt(objectAt(content, 'modelTurn'), 'parts')
  const spoken = textAt(objectAt(content, 'outputTranscription'), 'text') ?? ''
  const texts = [
    ...parts.map((part) => ({ text: textAt(part, 'text') ?? '', isThought: part['thought'] === true })),
    { text: spoken, isThought: false },
  ]
  const calls = objectsAt(objectAt(message, 'toolCall'), 'functionCalls').flatMap((call, index) =>
    callEvents(index, textAt(call, 'id') ?? '', textAt(call, 'name') ?? '', JSON.stringify(call['args'] ?? {})),
  )
  return {
    events: [
      ...texts.flatMap(({ text: piece, isThought }): ModelEvent[] =>
        piece === '' ? [] : [{ kind: isThought ? 'reasoning' : 'text', text: piece }],
      ),
      ...calls,
      ...(content['turnComplete'] === true ? [{ kind: 'finish', finish: 'stop' } as const] : []),
    ],
    heard: textAt(objectAt(content, 'inputTranscription'), 'text') ?? '',
  }
}
