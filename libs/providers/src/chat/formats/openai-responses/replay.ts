import { isObject, listAt, objectsAt, textAt, type JsonObject } from '../../../json.ts'
import { encodeSse } from '../../../sse/encoder.ts'

type Event = JsonObject & { readonly type: string }

/**
 * The events of a response that is kept as a whole. The same response has the same events each time, so that a client can go on after
 * the last one that it received. https://developers.openai.com/api/reference/resources/responses/streaming-events
 */
export function replayOf(response: JsonObject): Event[] {
  const events = [
    ...openingOf(response),
    ...listAt(response, 'output').flatMap((item, at) => (isObject(item) ? eventsOfItem(item, at) : [])),
  ]
  const end = ENDS.get(textAt(response, 'status') ?? 'completed')
  return end === undefined ? events : [...events, { type: end, response }]
}

/** The first event of a response that waits or runs, and those up to its output. */
export function openingOf(response: JsonObject): Event[] {
  const { status, background } = response
  const opening = (now: string): Event => ({
    type: now === 'in_progress' ? 'response.in_progress' : 'response.queued',
    response: unfinished(response, now),
  })
  const isBackground = background === true
  const created: Event = { type: 'response.created', response: unfinished(response, isBackground ? 'queued' : 'in_progress') }
  const queued = isBackground ? [opening('queued')] : []
  return status === 'queued' ? [created, ...queued] : [created, ...queued, opening('in_progress')]
}

/** Writes events with their numbers, from the one after `starting_after` on. */
export function writeEvents(events: readonly Event[], starting_after = -1): string {
  return events
    .map(({ type, ...fields }, sequence_number) => ({ type, sequence_number, ...fields }))
    .slice(starting_after + 1)
    .map((event) => encodeSse({ event: event.type, data: JSON.stringify(event) }))
    .join('')
}

/** Clients know no event of a cancelled response, so it ends like one that failed; its status says what happened. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['completed', 'response.completed'],
  ['incomplete', 'response.incomplete'],
  ['failed', 'response.failed'],
  ['cancelled', 'response.failed'],
])

const unfinished = (response: JsonObject, status: string): JsonObject => ({
  ...response,
  status,
  ...('completed_at' in response ? { completed_at: null } : {}),
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
})

function eventsOfItem(item: JsonObject, output_index: number): Event[] {
  const here = { item_id: textAt(item, 'id') ?? '', output_index }
  const { begun, events } = contentOf(item, here)
  // Reasoning has no status, and a finished item is all that some kinds have.
  const opened = 'status' in item ? { ...item, ...begun, status: 'in_progress' } : { ...item, ...begun }
  return [
    { type: 'response.output_item.added', output_index, item: opened },
    ...events,
    { type: 'response.output_item.done', output_index, item },
  ]
}

type Here = { readonly item_id: string; readonly output_index: number }

/** The parts that an item lacks when it opens, and the events that add them. */
function contentOf(item: JsonObject, here: Here): { readonly begun: JsonObject; readonly events: Event[] } {
  const written = (kind: string, field: string) => {
    const text = textAt(item, field) ?? ''
    const delta: Event = { type: `response.${kind}.delta`, ...here, delta: text }
    const named = kind === 'function_call_arguments' ? { name: item['name'] } : {}
    const done: Event = { type: `response.${kind}.done`, ...here, ...named, [field]: text }
    return { begun: { [field]: '' }, events: text === '' ? [done] : [delta, done] }
  }
  switch (item['type']) {
    case 'message':
      return {
        begun: { content: [] },
        events: objectsAt(item, 'content').flatMap((part, at) => eventsOfPart(part, { ...here, content_index: at })),
      }
    case 'reasoning':
      return {
        begun: { summary: [] },
        events: objectsAt(item, 'summary').flatMap((part, at) => eventsOfSummary(part, { ...here, summary_index: at })),
      }
    case 'function_call':
      return written('function_call_arguments', 'arguments')
    case 'custom_tool_call':
      return written('custom_tool_call_input', 'input')
    default:
      return { begun: {}, events: [] }
  }
}

function eventsOfPart(part: JsonObject, at: Here & { readonly content_index: number }): Event[] {
  const isRefusal = part['type'] === 'refusal'
  const text = textAt(part, isRefusal ? 'refusal' : 'text') ?? ''
  const kind = isRefusal ? 'refusal' : 'output_text'
  const logprobs = isRefusal ? {} : { logprobs: listAt(part, 'logprobs') }
  const begun = isRefusal ? { ...part, refusal: '' } : { ...part, text: '', annotations: [], logprobs: [] }
  return [
    { type: 'response.content_part.added', ...at, part: begun },
    ...(text === '' ? [] : [{ type: `response.${kind}.delta`, ...at, delta: text, ...logprobs }]),
    ...objectsAt(part, 'annotations').map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...at,
      annotation_index,
      annotation,
    })),
    { type: `response.${kind}.done`, ...at, ...(isRefusal ? { refusal: text } : { text, ...logprobs }) },
    { type: 'response.content_part.done', ...at, part },
  ]
}

function eventsOfSummary(part: JsonObject, at: Here & { readonly summary_index: number }): Event[] {
  const text = textAt(part, 'text') ?? ''
  return [
    { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
    ...(text === '' ? [] : [{ type: 'response.reasoning_summary_text.delta', ...at, delta: text }]),
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part },
  ]
}
