const DECIMALS = 6

/** A quota in dollars, without trailing zeros; empty for a text that is no number. */
export function dollarsText(quota: string, quotaPerUnit: number): string {
  const number = Number(quota)
  if (quota.trim() === '' || !Number.isFinite(number)) return ''
  const dollars = (number / quotaPerUnit).toFixed(DECIMALS)
  return dollars.replace(/\.?0+$/, '')
}

/** The quota of an amount in dollars; a text that is no number stays, so that the form can refuse it. */
export function quotaDigits(dollars: string, quotaPerUnit: number): string {
  const number = Number(dollars)
  return dollars.trim() === '' || !Number.isFinite(number) ? dollars : String(Math.round(number * quotaPerUnit))
}
