import { z } from 'zod'
import { tierFactor } from './ratios.ts'
import { Ratio } from '../units.ts'

/** A time of day in UTC, on a quarter of an hour. `24:00` is the end of the day. */
const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):(?:00|15|30|45)$|^24:00$/)

/** The fields of hours with another price; `ratio` is stricter where an operator types them than where a stored quote is read. */
export const priceWindowFields = <R extends z.ZodType<number>>(ratio: R) => ({
  /** Days of the week in UTC, Monday is 1; absent: every day. */
  days: z.array(z.int().min(1).max(7)).nonempty().max(7).optional(),
  from: TimeOfDay,
  /** Not included. */
  to: TimeOfDay,
  /** The factor on the price, one for all classes or by class. */
  ratio: tierFactor(ratio),
})

/** Hours of the week in which a model has another price. */
export const PriceWindow = z.object(priceWindowFields(Ratio))
export type PriceWindow = z.infer<typeof PriceWindow>
