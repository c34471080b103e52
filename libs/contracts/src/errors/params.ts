import { z } from 'zod'

/** A word of a text in either language. */
export const Word = z.object({ zh: z.string(), en: z.string() })
export type Word = Readonly<z.infer<typeof Word>>

/** Values for the `{name}` placeholders of an error's text. */
export const ErrorParams = z.record(z.string(), z.union([z.string(), z.number(), Word]))
export type ErrorParams = Readonly<Record<string, string | number | Word>>
