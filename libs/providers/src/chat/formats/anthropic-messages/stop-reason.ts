import type { Finish } from '../../answer-facts.ts'
import { readEnd, type End, type EndWords } from '../../ends.ts'

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const ENDS: EndWords = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  refusal: 'filter',
  pause_turn: 'other',
  compaction: 'other',
  // Vendors that offer this format beside OpenAI's, with the words of the latter.
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  content_filter: 'filter',
  sensitive: 'filter',
  insufficient_system_resource: 'failure',
  network_error: 'failure',
  error: 'failure',
  abort: 'failure',
}

/** Decodes a stop reason. */
export const endOf = (reason: unknown): End | undefined => readEnd(ENDS, reason)

/**
 * Encodes a stop reason. Clients run tools and continue only on `tool_use`, so it is sent exactly if there was a call: some vendors end
 * such an answer with `stop`.
 */
export function stopReasonOf(finish: Finish | undefined, hasCalls: boolean, stopSequence: string | undefined): string {
  if (finish === 'length' || finish === 'other') return 'max_tokens'
  if (finish === 'filter') return 'refusal'
  if (hasCalls) return 'tool_use'
  return stopSequence === undefined ? 'end_turn' : 'stop_sequence'
}
