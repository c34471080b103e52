/** Money as people write it; the code of a currency that the browser does not know stands after the amount. */
export function moneyText(money: string, currency: string, language: string): string {
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency: currency.toUpperCase() }).format(Number(money))
  } catch {
    return `${money} ${currency.toUpperCase()}`
  }
}
