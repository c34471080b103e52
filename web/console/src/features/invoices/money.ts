const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** An exact amount of the server for reading: cents from a dollar on, else up to six decimals. */
export function amountText(dollars: string | number | null | undefined): string {
  if (dollars === null || dollars === undefined) return '–'
  const value = Math.abs(Number(dollars))
  return `${Number(dollars) < 0 ? '-' : ''}$${(value >= 1 ? money : small).format(value)}`
}

/** The same with its sign: a difference. */
export const differenceText = (dollars: number): string => `${dollars > 0 ? '+' : ''}${amountText(dollars)}`
