/** Characters of a text by class: what a token estimate is made from (`performance.md` 2.4). Never the text itself. */
export type ClassCounts = {
  /** ASCII letters. */
  letters: number
  /** Runs of ASCII letters. */
  words: number
  digits: number
  /** Spaces, tabs and line ends. */
  spaces: number
  /** All other ASCII. */
  marks: number
  /** Han, kana, hangul and their punctuation. */
  cjk: number
  /** Everything else, in UTF-16 units. */
  other: number
}

/** Adds the classes of a text to running counts. */
export type CountInto = (counts: ClassCounts, text: string) => void

export const noCounts = (): ClassCounts => ({ letters: 0, words: 0, digits: 0, spaces: 0, marks: 0, cjk: 0, other: 0 })
