const money = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6, useGrouping: false })

/** An amount in dollars with at most six significant digits. */
export const dollarText = (dollars: number): string => `$${money.format(dollars)}`
