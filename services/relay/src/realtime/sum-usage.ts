import type { Usage } from '@tollgate/contracts/pricing/quote'

const COUNTS = ['text_in', 'text_out', 'audio_in', 'audio_out', 'prompt_tokens', 'completion_tokens'] as const

/** A response's usage with a transcription's, which has only these classes and seconds. */
export function sumUsage(response: Usage, transcription: Usage): Usage {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, response[name] + transcription[name]]))
  const seconds = (response.seconds ?? 0) + (transcription.seconds ?? 0)
  const source = response.source === 'upstream' && transcription.source === 'upstream' ? 'upstream' : 'estimated'
  return { ...response, ...counts, ...(seconds === 0 ? {} : { seconds }), source }
}
