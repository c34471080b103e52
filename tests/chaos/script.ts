import type { Random } from './random.ts'

/** What the vendor shall do with a request; the client sends it along in the field `user`, so both journals and the log row can be joined. */
export type Script = {
  readonly id: string
  readonly act: Act
  /** Pieces of answer, each WORDS_PER_PIECE words. */
  readonly pieces: number
  readonly pace_ms: number
  readonly first_ms: number
}

export const ACTS = ['plain', 'no-usage', 'usage-twice', 'reset', 'cut', 'stall', '429', '500', 'garbage', 'error-in-200', 'flaky'] as const
export type Act = (typeof ACTS)[number]

export const PIECE = 'the time of day '
export const WORDS_PER_PIECE = 4
/** What the vendor counts for every prompt. */
export const PROMPT_TOKENS = 8

export const MODELS = { perCall: 'chaos-call', perToken: 'chaos-token' } as const
/** Prices as the options state them: 0.002 USD a call; ratio 2 and completion ratio 3 for tokens. */
export const PRICES = { call_usd: 0.002, call_quota: 1000, ratio: 2, completion_ratio: 3 } as const

/** What a request costs when its usage is known. */
export function priceOf(model: string, usage: { readonly prompt_tokens: number; readonly completion_tokens: number }): number {
  if (model === MODELS.perCall) return PRICES.call_quota
  return (usage.prompt_tokens + usage.completion_tokens * PRICES.completion_ratio) * PRICES.ratio
}

const USUAL: readonly Act[] = ['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'no-usage', 'usage-twice']

export function drawScript(id: string, random: Random): Script {
  const act = random.chance(0.75) ? random.pick(USUAL) : random.pick(ACTS)
  const isLong = random.chance(0.15)
  return {
    id,
    act,
    pieces: isLong ? random.between(20, 80) : random.between(1, 12),
    pace_ms: isLong ? random.between(60, 160) : random.pick([0, 0, 5, 20, 60]),
    first_ms: random.pick([0, 0, 5, 30, 120, 400]),
  }
}
