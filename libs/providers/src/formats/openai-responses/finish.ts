import type { Finish } from '../../chat/answer-facts.ts'
import { objectAt, textAt, type JsonObject } from '../../json.ts'

const INCOMPLETE_REASONS: Readonly<Record<string, Finish>> = { max_output_tokens: 'length', content_filter: 'filter' }

/** How a response ended; `undefined` while it is still running (`background`). */
export function finishOf(response: JsonObject, hasCalls: boolean): Finish | undefined {
  const { status } = response
  if (status === 'incomplete') return INCOMPLETE_REASONS[textAt(objectAt(response, 'incomplete_details'), 'reason') ?? ''] ?? 'other'
  if (status !== 'completed' && status !== undefined) return undefined
  return hasCalls ? 'tools' : 'stop'
}
