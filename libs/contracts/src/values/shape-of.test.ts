import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ShapeOf } from './shape-of.ts'

type Settlement = { readonly charge: number; readonly limits?: { readonly rpm: number } }

describe('the shape of a type', () => {
  it('names every key, optional ones included', () => {
    const complete = z.object({
      charge: z.number(),
      limits: z.object({ rpm: z.number() }).exactOptional(),
    } satisfies ShapeOf<Settlement>) satisfies z.ZodType<Settlement>

    expect(complete.parse({ charge: 1, limits: { rpm: 2 } })).toEqual({ charge: 1, limits: { rpm: 2 } })
  })

  it('does not compile without an optional key', () => {
    // @ts-expect-error: `limits` is missing, which `satisfies z.ZodType<Settlement>` alone does not see.
    const incomplete = z.object({ charge: z.number() } satisfies ShapeOf<Settlement>) satisfies z.ZodType<Settlement>

    expect(incomplete.parse({ charge: 1, limits: { rpm: 2 } })).toEqual({ charge: 1 })
  })
})
