import type { Decoded } from './option.ts'

/** First and last status, both inclusive. */
export type StatusRange = readonly [number, number]

/** Parses `401,500-503` into ranges of HTTP statuses; undefined when the text is not valid. Empty text gives no ranges. */
export function parseStatusRanges(text: string): StatusRange[] | undefined {
  const parts = text.split(/[,，\s]+/).filter((part) => part !== '')
  const ranges = parts.map(parseRange)
  return ranges.every((range) => range !== undefined) ? ranges : undefined
}

export function isInRanges(status: number, ranges: readonly StatusRange[]): boolean {
  return ranges.some(([first, last]) => status >= first && status <= last)
}

/** Validates an option that holds status ranges; the error shows the expected form. */
export function checkStatusRanges(text: string): Decoded<string> {
  if (parseStatusRanges(text) !== undefined) return { kind: 'ok', value: text.trim() }
  return { kind: 'refused', code: 'option.shape', params: { detail: '401,500-503' } }
}

function parseRange(part: string): StatusRange | undefined {
  const [, first = '', last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(part) ?? []
  const range = [Number(first), Number(last)] as const
  return first !== '' && range[0] >= 100 && range[1] <= 599 && range[0] <= range[1] ? range : undefined
}
