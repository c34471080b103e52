import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { CharacterCounts } from '@tollgate/contracts/pricing/character-counts'

export { addCounts, countInto, countText } from './count.ts'

/** Tokenizer families. The factors of o200k and cl100k are calibrated by a test. */
export type Family = 'o200k' | 'cl100k' | 'claude' | 'mistral'

type Factors = Readonly<Record<keyof CharacterCounts | 'compounds', number>>

// Fitted to the published vocabularies over prose, code and data (docs/generated/estimates.md). The vocabularies of OpenAI take up to three
// digits for a token, Mistral's one, and neither joins a space with a number.
const FACTORS: Readonly<Record<Family, Factors>> = {
  o200k: {
    letters: 0.01,
    words: 0.95,
    numbers: 1,
    digits: 0,
    gaps: 0.84,
    compounds: 0.351,
    spaces: 1,
    marks: 1.05,
    prefixes: 0.47,
    accents: 1.38,
    han: 0.728,
    kana: 0.889,
    hangul: 0.716,
    other: 0.318,
  },
  cl100k: {
    letters: 0.01,
    words: 0.95,
    numbers: 1,
    digits: 0,
    gaps: 0.83,
    compounds: 0.537,
    spaces: 1,
    marks: 1.05,
    prefixes: 0.47,
    accents: 2.55,
    han: 1.099,
    kana: 1.115,
    hangul: 1.279,
    other: 0.55,
  },
  // Fitted to Claude's published vocabulary (@anthropic-ai/tokenizer 0.0.4).
  claude: {
    letters: 0.01,
    words: 1.02,
    numbers: 0,
    digits: 0.47,
    gaps: 0.6,
    compounds: 0.708,
    spaces: 0.5,
    marks: 1.1,
    prefixes: 1,
    accents: 3.06,
    han: 0.962,
    kana: 1.13,
    hangul: 1.377,
    other: 0.586,
  },
  // Mistral's tekken (mistral-common 1.13.1).
  mistral: {
    letters: 0.01,
    words: 0.985,
    numbers: 0,
    digits: 1,
    gaps: 0.74,
    compounds: 0.444,
    spaces: 1,
    marks: 1.11,
    prefixes: 0.5,
    accents: 1.26,
    han: 0.987,
    kana: 0.652,
    hangul: 0.63,
    other: 0.349,
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

/** Letters of an English word; vocabularies hold most of those. */
const WORD_LETTERS = 4.4
/** How many letters beyond that an accented letter may answer for: a word with an accent does not make English of a whole conversation. */
const LETTERS_PER_ACCENT = 12

/** Letters beyond those of English words, in languages with accents: German and Polish join what English writes apart. */
const compoundLetters = ({ letters, words, accents }: CharacterCounts): number =>
  Math.max(0, Math.min(letters - WORD_LETTERS * words, LETTERS_PER_ACCENT * accents))

/** Estimated tokens of a text with these counts, within 10 % for ordinary text; at least 1 for any text. */
export function estimateTokens(counts: CharacterCounts, family: Family): number {
  const factors = FACTORS[family]
  return Math.ceil(
    counts.letters * factors.letters +
      counts.words * factors.words +
      counts.numbers * factors.numbers +
      counts.digits * factors.digits +
      counts.gaps * factors.gaps +
      counts.spaces * factors.spaces +
      counts.marks * factors.marks +
      counts.prefixes * factors.prefixes +
      counts.accents * factors.accents +
      compoundLetters(counts) * factors.compounds +
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

/**
 * Mistral's template writes tools as JSON with a space after each colon and comma, and a frame around each; counted with mistral-common
 * 1.13.1: https://github.com/mistralai/mistral-common
 */
const TOOL_JSON: Partial<Record<Family, { readonly factor: number; readonly frame: number }>> = { mistral: { factor: 1.27, frame: 14 } }

/** Tokens of a text of a tool with this estimate: a name, a description, or a schema or arguments as compact JSON. */
export function toolTextTokens(tokens: number, text: string, family: Family): number {
  const written = TOOL_JSON[family]
  return written === undefined || !text.startsWith('{') ? tokens : Math.ceil(tokens * written.factor) + written.frame
}
