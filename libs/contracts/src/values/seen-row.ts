import { z } from 'zod'

const MAX_FIELDS = 64
const MAX_ENTRIES = 2_000

const Scalar = z.union([
  z.string().max(64_000),
  z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
  z.boolean(),
  z.null(),
])

/** A map that a form shows: its fields by name. */
const Entries = z
  .record(z.string().max(64), Scalar)
  .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES)
  .meta({ maxProperties: MAX_ENTRIES })

/**
 * Ours: the fields of a row as the form showed them when it was opened. With it, fields that the form did not change keep what another
 * administrator saved meanwhile, and a field that both changed is refused (409).
 */
export const SeenRow = z
  .record(z.string().max(64), z.union([Scalar, z.array(Scalar).max(MAX_ENTRIES), Entries]))
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS)
  .meta({ maxProperties: MAX_FIELDS })
  .optional()
export type SeenRow = z.infer<typeof SeenRow>

/** A field that two administrators changed. */
export const EditConflict = z.object({
  field: z.string(),
  was: z.unknown(),
  now: z.unknown(),
  yours: z.unknown(),
  /** The present list with the entries that the form added and without those that it removed. */
  merged: z.string().optional(),
})
export type EditConflict = z.infer<typeof EditConflict>
