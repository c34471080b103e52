/** Currencies whose smallest unit is the whole; https://docs.stripe.com/currencies#zero-decimal (read 2026-11-23). */
const WHOLE = new Set(['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'])

/** Decimal places of a currency as Stripe counts its amounts. Currencies with three places are charged in steps of ten. */
export function placesOf(currency: string): number {
  return WHOLE.has(currency) ? 0 : 2
}

/** Currencies with three decimal places, which this gateway does not offer. */
export const THREE_PLACES: ReadonlySet<string> = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
