import { isObject, parseJsonObject, type JsonObject } from '../../../json.ts'
import { parseEvent } from '../../../sse/event.ts'

/** A message of an answer, or the delta of a chunk, as the client gets it; the same object if nothing changes. */
export type MessageChange = (message: JsonObject, kind: 'message' | 'delta') => JsonObject

/** The bytes of a whole answer with changed messages; the same buffer if it is no answer. */
export function changeAnswer(bytes: Buffer, change: MessageChange): Buffer {
  const body = changed(bytes.toString(), change)
  return body === undefined ? bytes : Buffer.from(JSON.stringify(body))
}

/** An event with changed deltas; the same buffer if it is no chunk of an answer. */
export function changeEvent(event: Buffer, change: MessageChange): Buffer {
  const data = parseEvent(event.toString())?.data
  const body = data === undefined ? undefined : changed(data, change)
  return body === undefined ? event : Buffer.from(`data: ${JSON.stringify(body)}\n\n`)
}

function changed(text: string, change: MessageChange): JsonObject | undefined {
  const body = parseJsonObject(text)
  if (body === undefined || !Array.isArray(body['choices'])) return undefined
  const choices = body['choices'].filter(isObject).map((choice) => ({
    ...choice,
    ...(isObject(choice['message']) ? { message: change(choice['message'], 'message') } : {}),
    ...(isObject(choice['delta']) ? { delta: change(choice['delta'], 'delta') } : {}),
  }))
  return { ...body, choices }
}
