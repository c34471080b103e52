import { z } from 'zod'

/** Building blocks of requests and lists, tolerant where existing consoles need it. */

/** A number in a query string: what cannot be read counts as 0, never as an error. */
export const QueryInt = z
  .union([z.string(), z.number()])
  .optional()
  .transform((value) => {
    const number = Math.trunc(Number(value ?? 0))
    return Number.isSafeInteger(number) ? number : 0
  })

/** A switch in a query string: `true`, `1` and `t` are on, everything else is off. */
export const QueryFlag = z
  .union([z.string(), z.boolean()])
  .optional()
  .transform((value) => value === true || (typeof value === 'string' && ['true', '1', 't', 'T', 'TRUE', 'True'].includes(value)))

/** A text in a query string; absent is empty. */
export const QueryText = z
  .string()
  .optional()
  .transform((value) => value ?? '')

/** `/…/{id}`. */
export const IdParams = z.object({ id: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER) })

/** Query of a list that counts pages from 1 (0 means 1). */
export const PageQuery = z.object({ p: QueryInt, page_size: QueryInt })
export type PageQuery = z.infer<typeof PageQuery>

/** A counted page. */
export function pageOf<T extends z.ZodType>(
  row: T,
): z.ZodObject<{ items: z.ZodArray<T>; total: z.ZodInt; page: z.ZodInt; page_size: z.ZodInt }> {
  return z.object({ items: z.array(row), total: z.int(), page: z.int(), page_size: z.int() })
}

/** A field that may be sent as null where it means empty. */
export const TextOrNull = z.string().nullish()

/** An answer beside the envelope's data: `success`, `message` and further keys at the top. */
export const answerWith = <T extends z.ZodRawShape>(shape: T) => z.object({ success: z.boolean(), message: z.string(), ...shape })
