import type { Finish } from '../../chat/answer-facts.ts'

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const FINISHES: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  refusal: 'filter',
}

/** Decodes a stop reason; `pause_turn` and unknown reasons are `other`. */
export function finishOf(reason: unknown): Finish | undefined {
  return typeof reason === 'string' && reason !== '' ? (FINISHES[reason] ?? 'other') : undefined
}

/**
 * Encodes a stop reason. Clients run tools and continue only on `tool_use`, so it is sent exactly if there was a call: some vendors end
 * such an answer with `stop`.
 */
export function stopReasonOf(finish: Finish | undefined, hasCalls: boolean, stopSequence: string | undefined): string {
  if (finish === 'length') return 'max_tokens'
  if (finish === 'filter') return 'refusal'
  if (hasCalls) return 'tool_use'
  return stopSequence === undefined ? 'end_turn' : 'stop_sequence'
}
