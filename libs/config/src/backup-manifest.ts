import { z } from 'zod'

export const MANIFEST_FILE = 'manifest.json'

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/)

/** Contents of a backup. Written last: a folder without it is not a complete backup. */
export const BackupManifest = z.object({
  format: z.literal(1),
  /** Version of Tollgate that wrote it. */
  version: z.string(),
  created_at: z.string(),
  /** Ledger shards: the restored installation must have as many. */
  shards: z.int().positive(),
  /** Usage events that Postgres did not have yet; not in the backup. */
  unposted: z.int().min(0),
  migration: z.string(),
  tables: z.array(
    z.object({ name, columns: z.array(z.string()).min(1), rows: z.int().min(0), bytes: z.int().min(0), sha256: z.string().length(64) }),
  ),
  partitions: z.array(
    z.object({ parent: name, name, bound: z.string().regex(/^FOR VALUES (FROM \('?\d+'?\) TO \('?\d+'?\)|IN \('?\d+'?\))$/) }),
  ),
  sequences: z.array(z.object({ name, value: z.int().positive() })),
})
export type BackupManifest = z.infer<typeof BackupManifest>

/** Parses the text of a manifest or throws one readable line. */
export function parseManifest(text: string): BackupManifest {
  const parsed = BackupManifest.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const [problem] = parsed.error.issues
  throw new Error(`${MANIFEST_FILE} is damaged or of another format (${problem?.path.join('.')}: ${problem?.message})`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema reports it.
    return undefined
  }
}
