import type { ModelEvent } from '../../events.ts'
import { logprobsEvent } from '../../logprobs.ts'
import { objectsAt, type JsonObject } from '../../../json.ts'

/**
 * Log probabilities of a text delta or an output text, as the event that Chat Completions uses for them. Entries of Responses may lack
 * `bytes`, which Chat Completions requires.
 * https://developers.openai.com/api/reference/resources/responses/streaming-events
 */
export function readLogprobs(from: JsonObject): ModelEvent[] {
  const entries = objectsAt(from, 'logprobs')
  if (entries.length === 0) return []
  const content = entries.map((entry) => ({ bytes: null, ...entry, top_logprobs: objectsAt(entry, 'top_logprobs').map(withBytes) }))
  return [logprobsEvent({ content, refusal: null })]
}

const withBytes = (entry: JsonObject): JsonObject => ({ bytes: null, ...entry })
