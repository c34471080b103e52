const SCALES = [
  { from: 1_000_000_000, divisor: 1_000_000_000, suffix: 'B' },
  { from: 1_000_000, divisor: 1_000_000, suffix: 'M' },
  { from: 10_000, divisor: 1_000, suffix: 'k' },
] as const

/** A count for narrow places: k from 10 000, M from a million, B from a billion, at most one decimal. */
export function countText(count: number): string {
  const size = Math.abs(count)
  const index = SCALES.findIndex(({ from }) => size >= from)
  const scale = SCALES[index]
  if (scale === undefined) return groupDigits(count)
  const rounded = Number((size / scale.divisor).toFixed(1))
  // 999 960 rounds to 1000.0k: say 1M instead.
  const larger = SCALES[index - 1]
  const text = rounded >= 1_000 && larger !== undefined ? `1${larger.suffix}` : `${rounded}${scale.suffix}`
  return count < 0 ? `-${text}` : text
}

/** The exact number with thousands separators, the same in every language of the console. */
export function groupDigits(count: number): string {
  const [whole = '0', fraction] = Math.abs(count).toString().split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${count < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** A count that was not counted to its end: `10,000+`. */
export function atLeast(count: number): string {
  return `${groupDigits(count)}+`
}
