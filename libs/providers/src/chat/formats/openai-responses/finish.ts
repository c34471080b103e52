import type { Finish } from '../../answer-facts.ts'
import { readEnd, type End, type EndWords } from '../../ends.ts'
import { objectAt, textAt, type JsonObject } from '../../../json.ts'

/** https://platform.openai.com/docs/api-reference/responses/object */
const INCOMPLETE_REASONS: EndWords = { max_output_tokens: 'length', max_tool_calls: 'length', content_filter: 'filter' }

/** How a response ended; `undefined` while it is still running (`background`). */
export function endOf(response: JsonObject, hasCalls: boolean): End | undefined {
  const { status } = response
  if (status === 'incomplete')
    return readEnd(INCOMPLETE_REASONS, textAt(objectAt(response, 'incomplete_details'), 'reason') ?? 'incomplete')
  if (status !== 'completed' && status !== undefined) return undefined
  return { finish: hasCalls ? 'tools' : 'stop' }
}

/** The same as a finish. */
export const finishOf = (response: JsonObject, hasCalls: boolean): Finish | undefined => endOf(response, hasCalls)?.finish
