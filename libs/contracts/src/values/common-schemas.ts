import { z } from 'zod'

/** A number in a query string; an unreadable value counts as 0 and is never an error, because existing consoles rely on that. */
export const QueryInt = z
  .union([z.string().max(100), z.int()])
  .optional()
  .transform((value) => {
    const number = Math.trunc(Number(value ?? 0))
    return Number.isSafeInteger(number) ? number : 0
  })

/** Values that consoles send for an empty field. */
const EMPTY = new Set(['', 'NaN', 'null', 'undefined'])

/** A number of a filter in a query string: one that is no number is refused, because a filter that is ignored shows too much. */
export const FilterInt = z
  .union([z.string().max(100), z.int()])
  .optional()
  .transform((value, context) => {
    if (value === undefined || (typeof value === 'string' && EMPTY.has(value.trim()))) return 0
    const number = Math.trunc(Number(value))
    if (Number.isSafeInteger(number)) return number
    context.addIssue({ code: 'custom', message: 'not a number' })
    return z.NEVER
  })

/** A switch in a query string: `true`, `1` and `t` are on, every other value is off. */
export const QueryFlag = z
  .union([z.string().max(100), z.boolean()])
  .optional()
  .transform((value) => value === true || (typeof value === 'string' && ['true', '1', 't', 'T', 'TRUE', 'True'].includes(value)))

/** A text of at most `max` characters; absent is empty. */
export const textOf = (max: number) => z.string().max(max).default('')

/** A text in a query string of at most `max` characters; absent is empty. */
export const queryText = (max: number) =>
  z
    .string()
    .max(max)
    .optional()
    .transform((value) => value ?? '')

/** A text in a query string: a name, a search word, a code of another service (the longest of these have about 2 000 characters). */
export const QueryText = queryText(4000)

/** `/…/{id}`. */
export const IdParams = z.object({ id: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER) })

/** Query of a list that counts pages from 1 (0 means 1). */
export const PageQuery = z.object({ p: QueryInt, page_size: QueryInt })
export type PageQuery = z.infer<typeof PageQuery>

/** One page of a list that counts pages. */
export function pageOf<T extends z.ZodType>(
  row: T,
): z.ZodObject<{ items: z.ZodArray<T>; total: z.ZodInt; page: z.ZodInt; page_size: z.ZodInt }> {
  return z.object({ items: z.array(row), total: z.int(), page: z.int(), page_size: z.int() })
}

/** A text of at most `max` characters that clients may send as null. */
export const textOrNull = (max: number) => z.string().max(max).nullish()

/** A short text field that clients may send as null. */
export const TextOrNull = textOrNull(2000)

/** An answer without `data`: `success`, `message` and further top-level keys. */
export const answerWith = <T extends z.ZodRawShape>(shape: T) => z.object({ success: z.boolean(), message: z.string(), ...shape })

/** A file of configuration manages the record, so that the next apply takes back what is changed; absent: none does. */
export const IsManaged = z.literal(true).optional()
