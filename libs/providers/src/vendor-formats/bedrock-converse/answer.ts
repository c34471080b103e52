import { argumentsText } from '../../chat/call-arguments.ts'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { readEnd, type EndWords } from '../../chat/ends.ts'
import type { ModelEvent } from '../../chat/events.ts'
import { countAt, isObject, objectAt, objectsAt, textAt, type JsonObject } from '../../json.ts'
import { decodeError } from '../../chat/formats/anthropic-messages/errors.ts'
import type { EventReader } from '../../chat/event-decoder.ts'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html */
export class StreamReader implements EventReader {
  isDone = false
  /** Calls of this answer by the index of their block. */
  readonly #calls = new Map<number, number>()
  /** The signature of the open block, which can come in pieces. */
  #signature = ''

  read(data: JsonObject, name: string | undefined): readonly ModelEvent[] {
    switch (name) {
      case 'messageStart':
        return [{ kind: 'start' }]
      case 'contentBlockStart':
        return this.#start(countAt(data, 'contentBlockIndex'), objectAt(objectAt(data, 'start'), 'toolUse'))
      case 'contentBlockDelta':
        return this.#delta(countAt(data, 'contentBlockIndex'), objectAt(data, 'delta'))
      case 'contentBlockStop':
        return this.#stop()
      case 'messageStop':
        return [endEvent(data)]
      case 'metadata':
        this.isDone = true
        return usageOf(data)
      case 'error':
        return [{ kind: 'failed', failure: decodeError(200, data) }]
      default:
        return []
    }
  }

  #start(block: number, call: JsonObject): ModelEvent[] {
    const name = textAt(call, 'name')
    if (name === undefined) return []
    const index = this.#calls.size
    this.#calls.set(block, index)
    return [{ kind: 'tool-call', index, id: textAt(call, 'toolUseId') ?? `call_${index}`, name }]
  }

  #delta(block: number, delta: JsonObject): ModelEvent[] {
    const text = textAt(delta, 'text')
    if (text !== undefined) return [{ kind: 'text', text }]
    const reasoning = objectAt(delta, 'reasoningContent')
    this.#signature += textAt(reasoning, 'signature') ?? ''
    const thought = textAt(reasoning, 'text')
    if (thought !== undefined) return [{ kind: 'reasoning', text: thought }]
    const redacted = textAt(reasoning, 'redactedContent')
    if (redacted !== undefined) return [{ kind: 'redacted-reasoning', data: redacted, by: BY }]
    const input = textAt(objectAt(delta, 'toolUse'), 'input')
    const index = this.#calls.get(block)
    return input === undefined || index === undefined ? [] : [{ kind: 'tool-arguments', index, text: input }]
  }

  #stop(): ModelEvent[] {
    const signature = this.#signature
    this.#signature = ''
    return signature === '' ? [] : [{ kind: 'reasoning-signature', signature, by: BY }]
  }
}

const BY = 'bedrock-converse'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export function decodeAnswer(body: unknown): ModelEvent[] {
  const message = objectAt(objectAt(body, 'output'), 'message')
  if (!isObject(body) || !Array.isArray(message['content'])) return [failureOf(body)]
  let calls = 0
  const content = objectsAt(message, 'content').flatMap((block): ModelEvent[] => {
    const call = objectAt(block, 'toolUse')
    const name = textAt(call, 'name')
    if (name === undefined) return wordsOf(block)
    const index = calls
    calls += 1
    return [
      { kind: 'tool-call', index, id: textAt(call, 'toolUseId') ?? `call_${index}`, name },
      { kind: 'tool-arguments', index, text: argumentsText(call['input'] ?? {}) },
    ]
  })
  return [{ kind: 'start' }, ...content, endEvent(body), ...usageOf(body)]
}

function wordsOf(block: JsonObject): ModelEvent[] {
  const text = textAt(block, 'text')
  if (text !== undefined) return [{ kind: 'text', text }]
  const reasoning = objectAt(block, 'reasoningContent')
  const redacted = textAt(reasoning, 'redactedContent')
  if (redacted !== undefined) return [{ kind: 'redacted-reasoning', data: redacted, by: BY }]
  const thought = textAt(objectAt(reasoning, 'reasoningText'), 'text')
  const signature = textAt(objectAt(reasoning, 'reasoningText'), 'signature')
  return [
    ...(thought === undefined ? [] : [{ kind: 'reasoning', text: thought } as const]),
    ...(signature === undefined ? [] : [{ kind: 'reasoning-signature', signature, by: BY } as const]),
  ]
}

function failureOf(body: unknown): ModelEvent {
  const isStated = textAt(body, 'message') !== undefined
  return { kind: 'failed', failure: isStated ? decodeError(502, body) : { kind: 'malformed', message: 'the answer has no message' } }
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax */
const ENDS: EndWords = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tools',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  guardrail_intervened: 'filter',
  content_filtered: 'filter',
  malformed_model_output: 'failure',
  malformed_tool_use: 'failure',
}

function endEvent(data: JsonObject): ModelEvent {
  const end = readEnd(ENDS, textAt(data, 'stopReason'))
  return end?.failure === undefined ? { kind: 'finish', finish: end?.finish ?? 'stop' } : { kind: 'failed', failure: end.failure }
}

/** `inputTokens` excludes what was read from and written to the cache. */
function usageOf(data: JsonObject): ModelEvent[] {
  const raw = objectAt(data, 'usage')
  const [text_in, text_out] = [countAt(raw, 'inputTokens'), countAt(raw, 'outputTokens')]
  const [cache_read, written] = [countAt(raw, 'cacheReadInputTokens'), countAt(raw, 'cacheWriteInputTokens')]
  // How long each part of what was written is kept: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CacheDetail.html
  const details = objectsAt(raw, 'cacheDetails').filter((detail) => detail['ttl'] === '1h')
  const cache_write_1h = Math.min(
    details.reduce((sum, detail) => sum + countAt(detail, 'inputTokens'), 0),
    written,
  )
  const cache_write = written - cache_write_1h
  const prompt_tokens = text_in + cache_read + written
  if (prompt_tokens === 0 && text_out === 0) return []
  const kept = cache_write_1h === 0 ? {} : { cache_write_1h }
  const usage = { ...ZERO_USAGE, text_in, text_out, cache_read, cache_write, ...kept, prompt_tokens, completion_tokens: text_out }
  return [{ kind: 'usage', usage: { ...usage, source: 'upstream' }, raw }]
}
