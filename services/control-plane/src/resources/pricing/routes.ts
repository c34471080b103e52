import { pricing } from '@tollgate/contracts/resources/pricing'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { createPricing, type TaggedPricing } from './service.ts'

export const pricingRoutes = (deps: Deps): Binding[] => {
  const prices = createPricing(deps)
  return [handle(pricing.get, async ({ c, actor }) => answer(c, await prices.get(actor?.group ?? '')))]
}

/** 304 to a caller that has this answer already. */
function answer(c: Context, { body, tag }: TaggedPricing): Response {
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }
  const known = (c.req.header('if-none-match') ?? '').split(',').map((part) => part.trim())
  if (known.includes(tag) || known.includes('*')) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
}
