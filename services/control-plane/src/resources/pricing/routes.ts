import { pricing } from '@tollgate/contracts/resources/pricing'
import { findUser } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { hasTag } from '@tollgate/http/has-tag'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Context } from 'hono'
import { acceptsUnpriced } from '../../accepts-unpriced.ts'
import type { Deps } from '../../deps.ts'
import { createPricing, type TaggedPricing } from './service.ts'

export const pricingRoutes = (deps: Deps): Binding[] => {
  const prices = createPricing(deps)
  const visitorOf = async (actor: Actor | undefined) => {
    if (actor === undefined) return { group: '', accepts: false }
    return { group: actor.group, accepts: acceptsUnpriced((await findUser(deps.db, actor.id))?.setting ?? '') }
  }
  return [handle(pricing.get, async ({ c, actor }) => answer(c, await prices.get(await visitorOf(actor))))]
}

/** 304 to a caller that has this answer already. */
function answer(c: Context, { body, tag }: TaggedPricing): Response {
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }
  if (hasTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
}
