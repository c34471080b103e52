import type { Finish } from '../../answer-facts.ts'
import { readEnd, type End, type EndWords } from '../../ends.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { maskGoogleKeys } from './errors.ts'

/**
 * https://ai.google.dev/api/generate-content#FinishReason · Vertex has the same: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse
 */
const ENDS: EndWords = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'filter',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  MODEL_ARMOR: 'filter',
  OTHER: 'other',
  IMAGE_OTHER: 'other',
  // Not of Google, but of servers that imitate it.
  FUNCTION_CALL: 'tools',
  NO_IMAGE: 'failure',
  MALFORMED_FUNCTION_CALL: 'failure',
  UNEXPECTED_TOOL_CALL: 'failure',
  TOO_MANY_TOOL_CALLS: 'failure',
  MALFORMED_RESPONSE: 'failure',
  MISSING_THOUGHT_SIGNATURE: 'failure',
}

/** How a candidate says that it ended. */
export function endOf({ finishReason, finishMessage }: JsonObject): End | undefined {
  if (finishReason === 'FINISH_REASON_UNSPECIFIED') return undefined
  return readEnd(ENDS, finishReason, typeof finishMessage === 'string' ? maskGoogleKeys(finishMessage).slice(0, 300) : undefined)
}

const REASONS: Readonly<Record<Finish, string>> = { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY', other: 'OTHER' }

/** Encodes a finish reason. */
export const toFinishReason = (finish: Finish | undefined): string => REASONS[finish ?? 'stop']

/** Why Google refused the prompt; absent if it did not. */
export function blockReasonIn(chunk: unknown): string | undefined {
  return textAt(objectAt(chunk, 'promptFeedback'), 'blockReason')
}

/** The candidates of a response. */
export function candidatesIn(chunk: unknown): JsonObject[] {
  const list = isObject(chunk) ? chunk['candidates'] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The parts of a candidate. */
export function partsOf(candidate: JsonObject): JsonObject[] {
  const { parts } = objectAt(candidate, 'content')
  return Array.isArray(parts) ? parts.filter(isObject) : []
}

/** The texts that a part contains for tools: names, arguments, code. */
export function callTexts(part: JsonObject): string[] {
  const call = part['functionCall']
  const name = textAt(call, 'name')
  const code = textAt(part['executableCode'], 'code')
  return [
    ...(name === undefined ? [] : [name]),
    ...(isObject(call) && isObject(call['args']) ? [JSON.stringify(call['args'])] : []),
    ...(code === undefined ? [] : [code]),
  ]
}
