import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { optionTable } from '@tollgate/contracts/options/registry'
import { expect, it } from 'vitest'
import { Exact, toWhole } from '../../test/reference-decimal.ts'
import { vendorPrices } from './__fixtures__/vendor-prices.ts'
import { chargeOf, quotaOf } from './charge.ts'
import { quoteFor } from './quote.ts'

it.each(vendorPrices)('$what costs what $source says', ({ price, asked, usage, usd }) => {
  const quote = quoteFor({
    model: price.model,
    group: 'default',
    prices: () => price,
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 1,
    isUnpricedAllowed: false,
    tool_prices: optionTable['tool_price_setting.prices'].default,
    ...(asked === undefined ? {} : { asked }),
  })
  if (quote === 'unpriced') throw new Error('the table names a price')
  const used = { ...ZERO_USAGE, source: 'upstream' as const, ...usage }

  expect(chargeOf(quote, used).charge).toBe(toWhole(new Exact(usd.toFixed(9)).times(500_000)))
  expect(quotaOf(quote, used)).toBe(chargeOf(quote, used).charge)
})
