import { noCounts, type ClassCounts } from '@tollgate/contracts/text-counts'

const LETTER = 1
const DIGIT = 2
const SPACE = 3
const MARK = 4
const OTHER = 5
/** Longer runs are no words, no operators, no indents: they are cut into several, so that crafted text is not counted as little. */
const LONG_WORD = 10
const LONG_MARKS = 3
const LONG_NUMBER = 3
const LONG_GAP = 16

/** Counts of one text. */
export function countText(text: string): ClassCounts {
  const counts = noCounts()
  countInto(counts, text)
  return counts
}

/** The sum of two counts. */
export function addCounts(left: ClassCounts, right: ClassCounts): ClassCounts {
  return {
    letters: left.letters + right.letters,
    words: left.words + right.words,
    numbers: left.numbers + right.numbers,
    gaps: left.gaps + right.gaps,
    marks: left.marks + right.marks,
    accents: left.accents + right.accents,
    han: left.han + right.han,
    kana: left.kana + right.kana,
    hangul: left.hangul + right.hangul,
    other: left.other + right.other,
  }
}

/** Adds the classes of one text to running counts. One pass, no allocation: it runs for every delta of every stream. */
export function countInto(counts: ClassCounts, text: string): void {
  let last = 0
  let run = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const kind = code < 128 ? (ASCII[code] ?? MARK) : wideKind(code)
    run = kind === last ? run + 1 : 1
    last = kind
    if (kind === LETTER) {
      if (code < 128) counts.letters += 1
      else counts.accents += 1
      if (run % LONG_WORD === 1) counts.words += 1
    } else if (kind === SPACE) countSpace(counts, code, run)
    else if (kind === MARK) counts.marks += run % LONG_MARKS === 1 ? 1 : 0
    else if (kind === DIGIT) counts.numbers += run % LONG_NUMBER === 1 ? 1 : 0
    else countWide(counts, code)
  }
}

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTER
  if (code >= 48 && code <= 57) return DIGIT
  return code === 32 || (code >= 9 && code <= 13) ? SPACE : MARK
})

/** A single space is part of the word behind it; a longer run or a line end is a token of its own. */
function countSpace(counts: ClassCounts, code: number, run: number): void {
  if (run % LONG_GAP === 2 || (run === 1 && code !== 32)) counts.gaps += 1
}

/** Accented Latin letters go on with a word. */
function wideKind(code: number): number {
  return code >= 0xc0 && code <= 0x24f ? LETTER : OTHER
}

function countWide(counts: ClassCounts, code: number): void {
  if (code >= 0x3040 && code <= 0x30ff) counts.kana += 1
  else if (code >= 0xac00 && code <= 0xd7af) counts.hangul += 1
  else if ((code >= 0x2e80 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xffef)) counts.han += 1
  else counts.other += 1
}
