import { isObject, objectAt, type JsonObject } from '../../../../json.ts'
import { SseDecoder } from '../../../../sse/decoder.ts'

/** For tests: the events of a Messages stream as a client reads them, each under its own name. */
export function eventsOf(text: string): JsonObject[] {
  const sse = new SseDecoder()
  return [...sse.push(Buffer.from(text)), ...sse.end()].map(({ event, data }) => {
    const value: unknown = JSON.parse(data ?? 'null')
    if (!isObject(value) || value['type'] !== event) throw new Error(`event ${event} carries ${data}`)
    return value
  })
}

const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
}

/** For tests: the first rule of the format that a whole stream breaks; `undefined` if it breaks none. */
export function findDisorder(events: readonly JsonObject[]): string | undefined {
  let next = 0
  let open: string | undefined
  for (const [at, event] of events.entries()) {
    const type = String(event['type'])
    const fromEnd = events.length - at
    if ((type === 'message_start') !== (at === 0)) return `${type} at ${at}`
    if ((type === 'message_stop') !== (fromEnd === 1)) return `${type} ${fromEnd} from the end`
    if ((type === 'message_delta') !== (fromEnd === 2)) return `${type} ${fromEnd} from the end`
    if (type.startsWith('content_block') && event['index'] !== next) return `${type} of ${String(event['index'])}, not ${next}`
    if (type === 'content_block_start') {
      if (open !== undefined) return `${type} inside another`
      open = String(objectAt(event, 'content_block')['type'])
    } else if (type === 'content_block_delta') {
      const delta = String(objectAt(event, 'delta')['type'])
      if (open === undefined || !(DELTAS[open] ?? []).includes(delta)) return `${delta} inside ${open}`
    } else if (type === 'content_block_stop') {
      if (open === undefined) return 'stop without a start'
      open = undefined
      next += 1
    } else if (open !== undefined) return `${type} inside ${open}`
  }
  return undefined
}
