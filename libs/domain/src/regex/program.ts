/** Pairs of the first and last code point of a range. */
export type Ranges = readonly number[]

/** A set of characters. `excludes`: all characters that the ranges do not hold. */
export type CharacterSet = { readonly ranges: Ranges; readonly excludes: boolean }

/** A position without a width: the edges of the text, those of its lines, and of words. */
export type Edge = 'start' | 'end' | 'line-start' | 'line-end' | 'word' | 'no-word'

/** One step of a program; targets are indexes of steps. `fork` prefers its first target. */
export type Step =
  | { readonly kind: 'read'; readonly set: CharacterSet }
  | { kind: 'fork'; first: number; second: number }
  | { kind: 'jump'; target: number }
  /** Stores the position of the beginning or end of a group. */
  | { readonly kind: 'mark'; readonly slot: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'accept' }

/** A compiled pattern. `groups`: number of its groups, with the whole match. */
export type Program = { readonly steps: readonly Step[]; readonly groups: number; readonly ignoresCase: boolean }

/** True if a set holds a code point, or with `ignoresCase` its other case. */
export function holds({ ranges, excludes }: CharacterSet, point: number, ignoresCase: boolean): boolean {
  const isIn = isInRanges(ranges, point) || (ignoresCase && otherCases(point).some((other) => isInRanges(ranges, other)))
  return isIn !== excludes
}

function isInRanges(ranges: Ranges, point: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) if (point >= (ranges[at] ?? 0) && point <= (ranges[at + 1] ?? 0)) return true
  return false
}

function otherCases(point: number): number[] {
  const text = String.fromCodePoint(point)
  return [text.toLowerCase(), text.toUpperCase()].flatMap((other) => {
    const [only, ...more] = other
    return only === undefined || more.length > 0 ? [] : [only.codePointAt(0) ?? point]
  })
}

const code = (text: string): number => text.codePointAt(0) ?? 0
export const DIGITS: Ranges = [code('0'), code('9')]
export const WORD: Ranges = [...DIGITS, code('A'), code('Z'), code('_'), code('_'), code('a'), code('z')]
/** White space and line ends of ECMAScript: https://tc39.es/ecma262/#sec-white-space */
export const SPACE: Ranges = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
  0xfeff, 0xfeff,
]
export const LINE_ENDS: Ranges = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]
