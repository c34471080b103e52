/** Counts of a text's characters and runs by class, from which tokens are estimated (libs/domain/src/pricing/estimate.ts). The text itself is not kept. */
export type CharacterCounts = {
  /** ASCII letters. */
  letters: number
  /** Runs of letters, including accented ones. */
  words: number
  /** Groups of up to three digits. */
  numbers: number
  /** Digits. */
  digits: number
  /** Runs of white space other than one space between words. */
  gaps: number
  /** Single spaces before a digit, or at the end. */
  spaces: number
  /** Groups of up to three other ASCII characters. */
  marks: number
  /** Single ones of these before a letter, which are no marks. */
  prefixes: number
  /** Latin letters with accents. */
  accents: number
  /** Chinese characters. */
  han: number
  /** Japanese syllables. */
  kana: number
  /** Korean syllables. */
  hangul: number
  /** Everything else, in UTF-16 units. */
  other: number
}

/** Adds the counts of a text to running counts. */
export type CountInto = (counts: CharacterCounts, text: string) => void

export const emptyCounts = (): CharacterCounts => ({
  letters: 0,
  words: 0,
  numbers: 0,
  digits: 0,
  gaps: 0,
  spaces: 0,
  marks: 0,
  prefixes: 0,
  accents: 0,
  han: 0,
  kana: 0,
  hangul: 0,
  other: 0,
})
