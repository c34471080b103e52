import type { Tone } from './tone.ts'

/** Steps from low to high; a value belongs to the first step whose limit it does not pass. */
export type Threshold = {
  readonly steps: readonly { readonly limit: number; readonly tone: Tone }[]
  /** `includes`: the limit itself still belongs to the step ("up to"). `excludes`: it does not ("under"). */
  readonly limit: 'includes' | 'excludes'
  readonly beyond: Tone
}

/** Time of a channel's last test, in milliseconds (specification B section 4). 0 is "not tested": see `toneOfResponseTime`. */
export const RESPONSE_TIME_MS: Threshold = {
  steps: [
    { limit: 1_000, tone: 'green' },
    { limit: 3_000, tone: 'lime' },
    { limit: 5_000, tone: 'yellow' },
  ],
  limit: 'includes',
  beyond: 'red',
}

/** Duration of a logged request, in seconds (B section 9). */
export const USE_TIME_SECONDS: Threshold = {
  steps: [
    { limit: 101, tone: 'green' },
    { limit: 300, tone: 'orange' },
  ],
  limit: 'excludes',
  beyond: 'red',
}

/** Time to the first token, in milliseconds (B section 9). */
export const FIRST_TOKEN_MS: Threshold = {
  steps: [
    { limit: 3_000, tone: 'green' },
    { limit: 10_000, tone: 'orange' },
  ],
  limit: 'excludes',
  beyond: 'red',
}

/** How long a drawing, music or video task took, in seconds (B section 9). */
export const TASK_SECONDS: Threshold = { steps: [{ limit: 60, tone: 'green' }], limit: 'includes', beyond: 'red' }

/** Group and model ratios (A section 9): above 5 red, above 3 orange, above 1 blue, else green. */
export const RATIO: Threshold = {
  steps: [
    { limit: 1, tone: 'green' },
    { limit: 3, tone: 'blue' },
    { limit: 5, tone: 'orange' },
  ],
  limit: 'includes',
  beyond: 'red',
}

/** The tone a value has on a scale. */
export function toneOf(threshold: Threshold, value: number): Tone {
  const step = threshold.steps.find(({ limit }) => (threshold.limit === 'includes' ? value <= limit : value < limit))
  return step?.tone ?? threshold.beyond
}

/** A channel that was never tested (0) is grey, not fast. */
export function toneOfResponseTime(responseTimeMs: number): Tone {
  return responseTimeMs <= 0 ? 'grey' : toneOf(RESPONSE_TIME_MS, responseTimeMs)
}
