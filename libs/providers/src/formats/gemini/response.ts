import type { ReadAnswer } from '../../chat/codec.ts'
import { toRawUsage, type Finish } from '../../chat/answer-facts.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import { decodeGeminiError, errorIn } from './errors.ts'
import { searchesIn, usageFromGemini } from './usage.ts'

/** https://ai.google.dev/api/generate-content#FinishReason */
const FINISHES: Readonly<Record<string, Finish>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
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
}

/** The format's finish reason in our words. */
export function finishOf(reason: unknown): Finish | undefined {
  if (typeof reason !== 'string' || reason === '' || reason === 'FINISH_REASON_UNSPECIFIED') return undefined
  return FINISHES[reason] ?? 'other'
}

const REASONS: Readonly<Record<Finish, string>> = { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY', other: 'OTHER' }

/** Our finish in the format's words. */
export const toFinishReason = (finish: Finish | undefined): string => REASONS[finish ?? 'stop']

/** Why Google refused the prompt; absent when it did not. */
export function blockReasonIn(chunk: unknown): string | undefined {
  return textAt(objectAt(chunk, 'promptFeedback'), 'blockReason')
}

/** The candidates of a response. */
export function candidatesIn(chunk: unknown): JsonObject[] {
  const list = isObject(chunk) ? chunk['candidates'] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/**
 * Reads a parsed whole answer for a client of the same format: its usage and texts, or the error that some put into a 200. A prompt
 * that Google blocked is an answer, as it is to Google's own clients.
 */
export function readGeminiAnswer(body: unknown): ReadAnswer {
  if (errorIn(body) !== undefined || textAt(body, 'error') !== undefined) return { kind: 'failed', failure: decodeGeminiError(200, body) }
  const candidates = candidatesIn(body)
  const block = blockReasonIn(body)
  if (!isObject(body) || (candidates.length === 0 && block === undefined))
    return { kind: 'failed', failure: { kind: 'malformed', code: 'empty_response', message: 'the answer has no candidates' } }
  const texts: string[] = []
  const tool_texts: string[] = []
  let images = 0
  let searches = 0
  for (const candidate of candidates) {
    images += addParts(candidate, texts, tool_texts)
    searches += searchesIn(candidate, textAt(body, 'modelVersion'))
  }
  const usage = usageFromGemini(body['usageMetadata'], { images, searches })
  const finish = block === undefined ? finishOf(candidates[0]?.['finishReason']) : 'filter'
  return {
    kind: 'answer',
    texts,
    tool_texts,
    finish: finish === 'stop' && candidates.some(hasCall) ? 'tools' : finish,
    usage,
    raw_usage: usage === undefined ? undefined : toRawUsage(body['usageMetadata']),
  }
}

/** The parts of a candidate. */
export function partsOf(candidate: JsonObject): JsonObject[] {
  const { parts } = objectAt(candidate, 'content')
  return Array.isArray(parts) ? parts.filter(isObject) : []
}

const hasCall = (candidate: JsonObject) => partsOf(candidate).some((part) => isObject(part['functionCall']))

/** Gives how many images there are. */
function addParts(candidate: JsonObject, texts: string[], tool_texts: string[]): number {
  let images = 0
  for (const part of partsOf(candidate)) {
    const text = textAt(part, 'text')
    if (text !== undefined) texts.push(text)
    tool_texts.push(...callTexts(part))
    if (textAt(objectAt(part, 'inlineData'), 'mimeType')?.startsWith('image/') === true) images += 1
  }
  return images
}

/** What a part writes for tools: names, arguments, code. */
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
