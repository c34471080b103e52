import { ZERO_USAGE, type Usage } from '@tollgate/contracts/quote'
import type { CharacterCounts } from '@tollgate/contracts/character-counts'

export { addCounts, countInto, countText } from './count.ts'

/** Tokenizer families. The factors of o200k and cl100k are calibrated by a test. */
export type Family = 'o200k' | 'cl100k' | 'claude' | 'mistral'

type Factors = Readonly<Record<keyof CharacterCounts, number>>

// Fitted to the published vocabularies over prose, code and data; estimate.test.ts checks an error below 10 %.
const FACTORS: Readonly<Record<Family, Factors>> = {
  o200k: {
    letters: 0.062,
    words: 0.73,
    numbers: 1.55,
    gaps: 0.75,
    marks: 0.72,
    accents: 1.48,
    han: 0.728,
    kana: 0.889,
    hangul: 0.716,
    other: 0.331,
  },
  cl100k: {
    letters: 0.069,
    words: 0.71,
    numbers: 1.55,
    gaps: 0.75,
    marks: 0.71,
    accents: 3.07,
    han: 1.099,
    kana: 1.115,
    hangul: 1.279,
    other: 0.566,
  },
  // From what Claude's published vocabulary makes of 14 kinds of text, relative to o200k (2026-11-27): Chinese 1.22, Korean 1.49, German
  // 1.28, Russian 1.43, numbers 0.88.
  claude: {
    letters: 0.063,
    words: 0.745,
    numbers: 1.37,
    gaps: 0.82,
    marks: 0.8,
    accents: 1.9,
    han: 0.888,
    kana: 1,
    hangul: 1.07,
    other: 0.47,
  },
  // The same of Mistral's tekken, where each digit is a token: Chinese 1.32, Korean 1.14, German 1.3, numbers 1.45.
  mistral: {
    letters: 0.063,
    words: 0.745,
    numbers: 2.25,
    gaps: 0.8,
    marks: 0.78,
    accents: 1.9,
    han: 0.958,
    kana: 0.93,
    hangul: 0.81,
    other: 0.39,
  },
}

const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/^(gpt-3|gpt-4(?![o.])|text-embedding|davinci|babbage)/, 'cl100k'],
  [/claude/i, 'claude'],
  [/(mi[sx]tral|ministral|codestral|magistral|devstral|pixtral|voxtral)/i, 'mistral'],
]

/** The tokenizer family of a model; models of unknown vendors count as o200k. */
export function familyOf(model: string): Family {
  return FAMILIES.find(([names]) => names.test(model))?.[1] ?? 'o200k'
}

/** Estimated tokens of a text with these counts, within 10 % for ordinary text; at least 1 for any text. */
export function estimateTokens(counts: CharacterCounts, family: Family): number {
  const factors = FACTORS[family]
  return Math.ceil(
    counts.letters * factors.letters +
      counts.words * factors.words +
      counts.numbers * factors.numbers +
      counts.gaps * factors.gaps +
      counts.marks * factors.marks +
      counts.accents * factors.accents +
      counts.han * factors.han +
      counts.kana * factors.kana +
      counts.hangul * factors.hangul +
      counts.other * factors.other,
  )
}

/** Usage from our own estimate, if upstream reported none. */
export function estimatedUsage(tokens: { prompt_tokens: number; completion_tokens: number; reasoning?: number }): Usage {
  const { prompt_tokens, completion_tokens } = tokens
  return {
    ...ZERO_USAGE,
    text_in: prompt_tokens,
    text_out: completion_tokens,
    reasoning: Math.min(tokens.reasoning ?? 0, completion_tokens),
    prompt_tokens,
    completion_tokens,
    source: 'estimated',
  }
}

/**
 * Tokens that a vendor adds to a prompt with tools, by the model's name:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing
 */
const TOOL_PREAMBLES: readonly (readonly [RegExp, number])[] = [[/claude/i, 346]]

/** Tokens of the model's own introduction to its tools, whichever format the client speaks. */
export function toolPreambleOf(model: string): number {
  return TOOL_PREAMBLES.find(([pattern]) => pattern.test(model))?.[1] ?? 0
}
