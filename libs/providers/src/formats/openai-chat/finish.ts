import type { Finish } from '../../chat/answer-facts.ts'

const FINISHES: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  function_call: 'tools',
  content_filter: 'filter',
}

/** Decodes a finish reason. */
export function finishOf(reason: unknown): Finish | undefined {
  return typeof reason === 'string' && reason !== '' ? (FINISHES[reason] ?? 'other') : undefined
}
