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

/**
 * An archived row as its line has it, with what its event says instead of the event. Columns that are newer than the archive have their
 * defaults.
 */
export const ArchivedRow = z.object({
  id: z.int(),
  created_at: z.int(),
  type: z.int(),
  user_id: z.int(),
  username: z.string().default(''),
  token_id: z.int().default(0),
  token_name: z.string().default(''),
  channel_id: z.int().default(0),
  model_name: z.string().default(''),
  group: z.string().default(''),
  quota: z.int().default(0),
  prompt_tokens: z.int().default(0),
  completion_tokens: z.int().default(0),
  use_time: z.int().default(0),
  is_stream: z.boolean().default(false),
  content: z.string().default(''),
  other: z.string().default(''),
  request_id: z.string(),
  state: z.string().default(''),
  usage: z.unknown().default(null),
  quote: z.unknown().default(null),
  explanation: z.unknown().default(null),
  session: z.string().default(''),
})
export type ArchivedRow = z.infer<typeof ArchivedRow>

/** `waiting`: no worker reads yet. `done`: every object of the time was read. `cancelled`: its searcher ended it. */
export const ArchiveSearchState = z.enum(['waiting', 'reading', 'done', 'failed', 'cancelled'])
export type ArchiveSearchState = z.infer<typeof ArchiveSearchState>

/** `no-store`: the workers have no object store. `unreadable`: an object is missing, damaged or out of reach. `stopped`: the worker ended. */
export const ArchiveSearchFault = z.enum(['no-store', 'unreadable', 'stopped'])
export type ArchiveSearchFault = z.infer<typeof ArchiveSearchFault>

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
