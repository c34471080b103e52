import type { Decoded } from './option.ts'

/** First and last status, both included. */
export type StatusRange = readonly [number, number]

/** Reads `401,500-503` as ranges of HTTP statuses; undefined: it is not that. An empty text has none. */
export function parseStatusRanges(text: string): StatusRange[] | undefined {
  const parts = text.split(/[,，\s]+/).filter((part) => part !== '')
  const ranges = parts.map(parseRange)
  return ranges.every((range) => range !== undefined) ? ranges : undefined
}

export function isInRanges(status: number, ranges: readonly StatusRange[]): boolean {
  return ranges.some(([first, last]) => status >= first && status <= last)
}

/** For an option that holds ranges: the text as it came, or a refusal that shows the form. */
export function checkStatusRanges(text: string): Decoded<string> {
  if (parseStatusRanges(text) !== undefined) return { kind: 'ok', value: text.trim() }
  return { kind: 'refused', code: 'option.shape', params: { detail: '401,500-503' } }
}

function parseRange(part: string): StatusRange | undefined {
  const [, first = '', last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(part) ?? []
  const range = [Number(first), Number(last)] as const
  return first !== '' && range[0] >= 100 && range[1] <= 599 && range[0] <= range[1] ? range : undefined
}
