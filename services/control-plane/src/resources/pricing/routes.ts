import { createHash } from 'node:crypto'
import { pricing, type PricingAnswer } from '@tollgate/contracts/resources/pricing'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { getPricing } from './service.ts'

export const pricingRoutes = (deps: Deps): Binding[] => [
  handle(pricing.get, async ({ c, actor }) => taggedAnswer(c, await getPricing(deps, actor?.group ?? ''))),
]

/** The answer with a tag of its content; 304 to a caller that has it already. The tag is weak, because compressed forms share it. */
function taggedAnswer(c: Context, answer: PricingAnswer): Response {
  const body = JSON.stringify(answer)
  const tag = `W/"${createHash('sha256').update(body).digest('base64url')}"`
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }
  const known = (c.req.header('if-none-match') ?? '').split(',').map((part) => part.trim())
  if (known.includes(tag) || known.includes('*')) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
}
