const SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const

export type TimeUnit = keyof typeof SECONDS
export const TIME_UNITS: readonly TimeUnit[] = ['seconds', 'minutes', 'hours', 'days']

/** The largest unit, not below the stored one, in which a text of the stored unit is a whole number. */
export function unitFor(text: string, stored: TimeUnit): TimeUnit {
  const seconds = Number(text) * SECONDS[stored]
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds === 0) return stored
  return TIME_UNITS.findLast((unit) => SECONDS[unit] >= SECONDS[stored] && seconds % SECONDS[unit] === 0) ?? stored
}

/** A number of one unit in another; a text that is no number stays, so that the form can refuse it. */
export function inUnit(text: string, from: TimeUnit, to: TimeUnit): string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  return String(Number(((number * SECONDS[from]) / SECONDS[to]).toPrecision(12)))
}
