import type { Usage } from '@tollgate/contracts/quote'
import { noCounts, type ClassCounts } from '@tollgate/contracts/text-counts'

/** Tokenizer families whose factors are calibrated by a test. */
export type Family = 'o200k' | 'cl100k'

type Factors = Readonly<Record<keyof ClassCounts, number>>

const FACTORS: Readonly<Record<Family, Factors>> = {
  o200k: { letters: 0.11, words: 0.6, digits: 0.4, spaces: 0.03, marks: 0.55, cjk: 0.72, other: 0.45 },
  cl100k: { letters: 0.11, words: 0.6, digits: 0.4, spaces: 0.03, marks: 0.55, cjk: 1.1, other: 0.8 },
}

/** Which factors fit a model. Unknown vendors are counted like the widest used vocabulary. */
export function familyOf(model: string): Family {
  return /^(gpt-3|gpt-4(?![o.])|text-embedding|davinci|babbage)/.test(model) ? 'cl100k' : 'o200k'
}

/** Counts of one text. */
export function countText(text: string): ClassCounts {
  const counts = noCounts()
  countInto(counts, text)
  return counts
}

/** Adds the classes of one text to running counts; on the hot path of every stream. */
export function countInto(counts: ClassCounts, text: string): void {
  let isInWord = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    if (isLetter) {
      counts.letters += 1
      if (!isInWord) counts.words += 1
    } else if (code === 32 || (code >= 9 && code <= 13)) counts.spaces += 1
    else if (code >= 48 && code <= 57) counts.digits += 1
    else if (code < 128) counts.marks += 1
    else if (isCjk(code)) counts.cjk += 1
    else counts.other += 1
    isInWord = isLetter
  }
}

/** The sum of two counts. */
export function addCounts(left: ClassCounts, right: ClassCounts): ClassCounts {
  return {
    letters: left.letters + right.letters,
    words: left.words + right.words,
    digits: left.digits + right.digits,
    spaces: left.spaces + right.spaces,
    marks: left.marks + right.marks,
    cjk: left.cjk + right.cjk,
    other: left.other + right.other,
  }
}

/** Tokens that a text of these counts has, within a tenth on ordinary text; at least 1 where there is any text. */
export function estimateTokens(counts: ClassCounts, family: Family): number {
  const factors = FACTORS[family]
  const tokens =
    counts.letters * factors.letters +
    counts.words * factors.words +
    counts.digits * factors.digits +
    counts.spaces * factors.spaces +
    counts.marks * factors.marks +
    counts.cjk * factors.cjk +
    counts.other * factors.other
  return Math.ceil(tokens)
}

export const ZERO_USAGE: Usage = {
  text_in: 0, text_out: 0, cache_read: 0, cache_write: 0, image_in: 0, audio_in: 0, audio_out: 0, reasoning: 0,
  prompt_tokens: 0, completion_tokens: 0, source: 'none',
}

/** Usage counted by us, where upstream reported none. */
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

/** Han with extensions in the base plane, kana, hangul, and full-width forms and punctuation. */
function isCjk(code: number): boolean {
  return (code >= 0x2e80 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xffef)
}
