import type { ReadAnswer } from '../../chat/codec.ts'
import { toRawUsage } from '../../chat/answer-facts.ts'
import { isObject, textAt } from '../../json.ts'
import { decodeError } from './errors.ts'
import { finishOf } from './stop-reason.ts'
import { usageFromAnthropic } from './usage.ts'

/** Reads a parsed whole answer: its usage and texts, or the error that some vendors put into a 200. */
export function readAnswer(body: unknown): ReadAnswer {
  if (isObject(body) && (body['type'] === 'error' || isObject(body['error']))) return { kind: 'failed', failure: decodeError(200, body) }
  if (!isObject(body) || !Array.isArray(body['content'])) {
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no content' } }
  }
  const texts: string[] = []
  const tool_texts: string[] = []
  for (const block of body['content']) addBlock(block, texts, tool_texts)
  const usage = usageFromAnthropic(body['usage'])
  return {
    kind: 'answer',
    texts,
    tool_texts,
    finish: finishOf(body['stop_reason']),
    usage,
    raw_usage: usage === undefined ? undefined : toRawUsage(body['usage']),
  }
}

function addBlock(block: unknown, texts: string[], tool_texts: string[]): void {
  for (const key of ['text', 'thinking']) {
    const text = textAt(block, key)
    if (text !== undefined) texts.push(text)
  }
  if (!isObject(block) || (block['type'] !== 'tool_use' && block['type'] !== 'server_tool_use')) return
  const name = textAt(block, 'name')
  if (name !== undefined) tool_texts.push(name)
  if (isObject(block['input'])) tool_texts.push(JSON.stringify(block['input']))
}
