/** Days of `90d`, `12w` or `90`. */
export function daysOf(text: string): number {
  const [, number = '', unit = 'd'] = /^(\d{1,5})([dw]?)$/.exec(text.trim()) ?? []
  if (number === '') throw new Error(`--logs takes a number of days, such as 90d, and not ${text}`)
  return Number(number) * (unit === 'w' ? 7 : 1)
}
