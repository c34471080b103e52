import { z } from 'zod'

/** `writing`: rows go to the object store. `archived`: they are there only. `restoring`: they come back. `restored`: they are in both. */
export const ArchiveState = z.enum(['writing', 'archived', 'restoring', 'restored'])
export type ArchiveState = z.infer<typeof ArchiveState>

/** A month in UTC, like 2026-08. */
export const ArchiveMonth = z
  .string()
  .max(7)
  .regex(/^2\d{3}-(0[1-9]|1[0-2])$/)

/** Time and id of a log row. */
const Position = z.object({ created_at: z.int(), id: z.int() })
export type LogPosition = z.infer<typeof Position>

/** One object with log rows as JSON lines, compressed with zstd. */
export const ArchivePart = z.object({
  key: z.string(),
  rows: z.int(),
  quota: z.int(),
  /** The sum of the ids, which may exceed a double. */
  ids: z.string(),
  bytes: z.int(),
  /** Hash of the compressed bytes, in hexadecimal. */
  sha256: z.string(),
  first: Position,
  last: Position,
})
export type ArchivePart = z.infer<typeof ArchivePart>

/** The object beside the parts, which says what a month consists of. */
export const ArchiveManifest = z.object({
  format: z.literal('tollgate-log-archive-1'),
  month: ArchiveMonth,
  rows: z.int(),
  quota: z.int(),
  ids: z.string(),
  parts: z.array(ArchivePart),
})
export type ArchiveManifest = z.infer<typeof ArchiveManifest>
