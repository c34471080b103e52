import type { ReadAnswer } from '../../chat/codec.ts'
import { toRawUsage, type Finish } from '../../chat/answer-facts.ts'
import { isObject, objectAt, textAt } from '../../json.ts'
import { decodeUpstreamError } from './errors.ts'
import { usageFromOpenAi } from './usage.ts'

/** Reads a parsed whole answer: its usage and texts, or the error that some vendors put into a 200. */
export function readChatAnswer(body: unknown): ReadAnswer {
  if (isObject(body) && body['error'] !== undefined && body['error'] !== null)
    return { kind: 'failed', failure: decodeUpstreamError(200, body) }
  if (!isObject(body) || !Array.isArray(body['choices'])) {
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no choices' } }
  }
  const texts: string[] = []
  const tool_texts: string[] = []
  let finish: Finish | undefined
  for (const choice of body['choices']) {
    addMessage(objectAt(choice, 'message'), texts, tool_texts)
    finish ??= finishOf(isObject(choice) ? choice['finish_reason'] : undefined)
  }
  const usage = usageFromOpenAi(body['usage'])
  return { kind: 'answer', texts, tool_texts, finish, usage, raw_usage: usage === undefined ? undefined : toRawUsage(body['usage']) }
}

const FINISHES: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  function_call: 'tools',
  content_filter: 'filter',
}

/** The format's finish reason in our words. */
export function finishOf(reason: unknown): Finish | undefined {
  return typeof reason === 'string' && reason !== '' ? (FINISHES[reason] ?? 'other') : undefined
}

function addMessage(message: object, texts: string[], tool_texts: string[]): void {
  for (const key of ['content', 'reasoning_content', 'reasoning', 'refusal']) {
    const text = textAt(message, key)
    if (text !== undefined) texts.push(text)
  }
  const calls: unknown = 'tool_calls' in message ? message.tool_calls : []
  for (const call of Array.isArray(calls) ? calls : []) {
    for (const key of ['name', 'arguments']) {
      const text = textAt(objectAt(call, 'function'), key)
      if (text !== undefined) tool_texts.push(text)
    }
  }
}
