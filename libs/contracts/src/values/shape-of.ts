import type { z } from 'zod'

/**
 * The schemas of every key of T, optional keys included. `satisfies z.ZodType<T>` accepts a schema without an optional key and drops
 * its value; `z.object({ … } satisfies ShapeOf<T>)` does not compile then.
 */
export type ShapeOf<T> = { readonly [Key in keyof Required<T>]: z.ZodType<T[Key]> }
