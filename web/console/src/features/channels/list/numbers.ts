export const LEAST_PRIORITY = -999

type Parsed = { readonly kind: 'value'; readonly value: number } | { readonly kind: 'problem' }
const PROBLEM: Parsed = { kind: 'problem' }

/** A channel's priority: an integer, at least -999. */
export function parsePriority(text: string): Parsed {
  const number = wholeNumber(text)
  return number === undefined || number < LEAST_PRIORITY ? PROBLEM : { kind: 'value', value: number }
}

/** A channel's weight: an integer; a negative one becomes 0. */
export function parseWeight(text: string): Parsed {
  const number = wholeNumber(text)
  return number === undefined ? PROBLEM : { kind: 'value', value: Math.max(0, number) }
}

/** The priority of all channels of a tag: an integer. */
export function parseTagPriority(text: string): Parsed {
  const number = wholeNumber(text)
  return number === undefined ? PROBLEM : { kind: 'value', value: number }
}

/** The weight of all channels of a tag: an integer, not negative. */
export function parseTagWeight(text: string): Parsed {
  const number = wholeNumber(text)
  return number === undefined || number < 0 ? PROBLEM : { kind: 'value', value: number }
}

function wholeNumber(text: string): number | undefined {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isSafeInteger(number) ? number : undefined
}
