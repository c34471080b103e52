import type { ReadAnswer } from '../../chat/codec.ts'
import { toRawUsage, type Finish } from '../../chat/answer-facts.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import { decodeFailure, isFailed } from './errors.ts'
import { REASONS } from './event-reader.ts'
import { usageFromResponse } from './usage.ts'

/** Reads a parsed whole response: its usage and texts, or the error that may stand in a 200. */
export function readResponsesAnswer(body: unknown): ReadAnswer {
  if (isObject(body) && isFailed(body)) return { kind: 'failed', failure: decodeFailure(body) }
  if (!isObject(body) || (!Array.isArray(body['output']) && body['status'] === undefined)) {
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no output' } }
  }
  const texts: string[] = []
  const tool_texts: string[] = []
  for (const item of Array.isArray(body['output']) ? body['output'] : []) addItem(item, texts, tool_texts)
  const usage = usageFromResponse(body)
  const raw_usage = usage === undefined ? undefined : toRawUsage(body['usage'])
  return { kind: 'answer', texts, tool_texts, usage, raw_usage, finish: finishOf(body) }
}

/** How a response ended; `undefined` while it runs (`background`). */
export function finishOf(response: JsonObject): Finish | undefined {
  const { status, output } = response
  if (status === 'incomplete') return REASONS[textAt(objectAt(response, 'incomplete_details'), 'reason') ?? ''] ?? 'other'
  if (status !== 'completed' && status !== undefined) return undefined
  const called = Array.isArray(output) && output.some((item) => CALLS.has(textAt(item, 'type') ?? ''))
  return called ? 'tools' : 'stop'
}

const CALLS = new Set(['function_call', 'custom_tool_call'])

function addItem(item: unknown, texts: string[], tool_texts: string[]): void {
  if (!isObject(item)) return
  for (const list of [item['content'], item['summary']]) {
    for (const part of Array.isArray(list) ? list : []) {
      const text = textAt(part, 'text') ?? textAt(part, 'refusal')
      if (text !== undefined) texts.push(text)
    }
  }
  for (const key of ['name', 'arguments', 'input', 'code']) {
    const text = textAt(item, key)
    if (text !== undefined) tool_texts.push(text)
  }
}
