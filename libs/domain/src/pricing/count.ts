import { emptyCounts, type CharacterCounts } from '@tollgate/contracts/pricing/character-counts'
import { unitAt } from '../text-unit.ts'

const LETTER = 1
const ACCENT = 2
const DIGIT = 3
const SPACE = 4
const MARK = 5
const HAN = 6
const KANA = 7
const HANGUL = 8
const OTHER = 9

/** Longer runs count as several tokens, so that crafted text is not underestimated. */
const LONG_WORD = 10
const LONG_MARKS = 4
const LONG_NUMBER = 3
const LONG_GAP = 16

/** Counts of one text. */
export function countText(text: string): CharacterCounts {
  const counts = emptyCounts()
  countInto(counts, text)
  return counts
}

/** The sum of two counts. */
export function addCounts(left: CharacterCounts, right: CharacterCounts): CharacterCounts {
  return {
    letters: left.letters + right.letters,
    words: left.words + right.words,
    numbers: left.numbers + right.numbers,
    digits: left.digits + right.digits,
    gaps: left.gaps + right.gaps,
    spaces: left.spaces + right.spaces,
    marks: left.marks + right.marks,
    prefixes: left.prefixes + right.prefixes,
    accents: left.accents + right.accents,
    han: left.han + right.han,
    kana: left.kana + right.kana,
    hangul: left.hangul + right.hangul,
    other: left.other + right.other,
  }
}

/** Adds one text to running counts. One pass without allocation: it runs for every delta of every stream. */
export function countInto(counts: CharacterCounts, text: string): void {
  const size = text.length
  let before = 0
  let start = 0
  let from = 0
  while (start < size) {
    const first = unitAt(text, start)
    const kind = KINDS[first] ?? OTHER
    let end = start + 1
    while (end < size && KINDS[unitAt(text, end)] === kind) end += 1
    const length = end - start
    if (kind !== LETTER && kind !== DIGIT && !(length === 1 && isEncodingMark(first))) {
      if (start - from >= LEAST_CODE) counts.words += wordsOfCode(text, from, start)
      from = end
    }
    if (kind === LETTER) {
      counts.letters += length
      counts.words += wordsIn(length, before)
    } else if (kind === SPACE) {
      // A single space belongs to the following word, but not to a number; a longer run or a line end is a separate token.
      if (length > 1 || first !== 32) counts.gaps += gapsIn(length, first, before === MARK)
      else if (end === size || KINDS[unitAt(text, end)] === DIGIT) counts.spaces += 1
    } else if (kind === MARK) {
      if (length === 1 && end < size && KINDS[unitAt(text, end)] === LETTER) counts.prefixes += 1
      else counts.marks += Math.ceil(length / LONG_MARKS)
    } else if (kind === DIGIT) {
      counts.digits += length
      counts.numbers += Math.ceil(length / LONG_NUMBER)
    } else if (kind === HAN) counts.han += length
    else if (kind === ACCENT) {
      counts.accents += length
      counts.words += wordsIn(length, before)
    } else if (kind === KANA) counts.kana += length
    else if (kind === HANGUL) counts.hangul += length
    else counts.other += length
    before = kind
    start = end
  }
  if (size - from >= LEAST_CODE) counts.words += wordsOfCode(text, from, size)
}

/** From this length on letters and digits without a space between may be an encoding. */
const LEAST_CODE = 16
const LEAST_BASE64 = 32
/** Words beyond those of the runs, per character of base64; a tokenizer finds hardly a known part in it. */
const BASE64_WORDS = 0.39
/** Words that the runs of hexadecimal digits count too little, per character. */
const HEX_WORDS = 0.03

/** Marks of base64 and of identifiers: `+ / - _ =`. */
const isEncodingMark = (code: number): boolean => code === 43 || code === 47 || code === 45 || code === 95 || code === 61

/** Words to add for an encoding: capitals and small letters in equal parts are base64, small letters among digits hexadecimal. */
function wordsOfCode(text: string, from: number, to: number): number {
  let capitals = 0
  let small = 0
  let digits = 0
  for (let at = from; at < to; at += 1) {
    const code = unitAt(text, at)
    if (code >= 97) small += 1
    else if (code >= 65 && code !== 95) capitals += 1
    else if (code >= 48 && code <= 57) digits += 1
  }
  const length = to - from
  const letters = capitals + small
  if (length >= LEAST_BASE64 && capitals > letters * 0.36 && small > letters * 0.36) return Math.round(length * BASE64_WORDS)
  return digits > length * 0.3 && letters > length * 0.2 ? Math.round(length * HEX_WORDS) : 0
}

const KINDS = Uint8Array.from({ length: 0x10000 }, (_, code) => kindOf(code))

/** A line end after a mark is a part of it. */
function gapsIn(length: number, first: number, isAfterMark: boolean): number {
  return (first === 32 || isAfterMark ? 0 : 1) + (length < 2 ? 0 : 1 + Math.floor((length - 2) / LONG_GAP))
}

/** Accented and plain letters form one word. */
function wordsIn(length: number, before: number): number {
  const more = Math.floor(length / LONG_WORD)
  return before === LETTER || before === ACCENT || length === more * LONG_WORD ? more : more + 1
}

function kindOf(code: number): number {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTER
  if (code >= 48 && code <= 57) return DIGIT
  if (code === 32 || (code >= 9 && code <= 13)) return SPACE
  if (code < 128) return MARK
  if (code >= 0xc0 && code <= 0x24f) return ACCENT
  if (code >= 0x3040 && code <= 0x30ff) return KANA
  if (code >= 0xac00 && code <= 0xd7af) return HANGUL
  if ((code >= 0x2e80 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xffef)) return HAN
  return OTHER
}
