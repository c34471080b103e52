/** What a token estimate is made from (`performance.md` 2.4): characters and runs of a text by class. Never the text itself. */
export type CharacterCounts = {
  /** ASCII letters. */
  letters: number
  /** Runs of letters, accented ones included. */
  words: number
  /** Groups of up to three digits. */
  numbers: number
  /** Runs of white space that are more than one space between words. */
  gaps: number
  /** Groups of up to three of all other ASCII. */
  marks: number
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

/** Adds the classes of a text to running counts. */
export type CountInto = (counts: CharacterCounts, text: string) => void

export const emptyCounts = (): CharacterCounts => ({
  letters: 0,
  words: 0,
  numbers: 0,
  gaps: 0,
  marks: 0,
  accents: 0,
  han: 0,
  kana: 0,
  hangul: 0,
  other: 0,
})
