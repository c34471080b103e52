import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Limits } from '@tollgate/contracts/relay/limits'
import type { ShapeOf } from '@tollgate/contracts/values/shape-of'
import type { SettleInput } from '../client/types.ts'

/** Settlements that an earlier process left on disk: one file per relay process, one JSON line per settlement. Claimed by this process. */
export type RecoveredSettlements = {
  readonly path: string
  readonly inputs: readonly SettleInput[]
  /** Complete lines that are not a settlement. A torn last line does not count: its client did not get the end of its answer. */
  readonly unreadable: number
}

const SettleInputSchema = z.object({
  shard: z.int(),
  request_id: z.string(),
  user_id: z.int(),
  token_id: z.int(),
  charge: z.int(),
  wallet_held: z.int(),
  token_held: z.int(),
  epoch: z.int(),
  success_window_ms: z.int(),
  limits: z
    .object({ user: Limits, token: Limits, tokens: z.number(), used: z.number() } satisfies ShapeOf<Required<SettleInput>['limits']>)
    .exactOptional(),
  budgets: z.string().exactOptional(),
  body: z.string(),
} satisfies ShapeOf<SettleInput>)

/** `settle-<relay id>.jsonl`, and `settle-<relay id>.<claiming relay id>.jsonl` after another process claimed it. */
const FILE = /^settle-([0-9a-f-]+)(?:\.([0-9a-f-]+))?\.jsonl$/

/**
 * Claims the files of earlier processes. Each file is renamed before it is read, so that only one of several starting processes reads
 * it; one whose file is taken in between skips it. The file of a running process may be claimed too: settling twice is harmless
 * (`already`), and the running process notices that its file is gone (settle-file.ts).
 */
export async function claimRecoveredSettlements(dir: string, relayId: string): Promise<RecoveredSettlements[]> {
  const found: RecoveredSettlements[] = []
  for (const name of await unlessAbsent(readdir(dir), [])) {
    const [, writer, claimer] = FILE.exec(name) ?? []
    if (writer === undefined || writer === relayId || claimer === relayId) continue
    const path = join(dir, `settle-${writer}.${relayId}.jsonl`)
    const text = await unlessAbsent(
      rename(join(dir, name), path).then(() => readFile(path, 'utf8')),
      undefined,
    )
    if (text !== undefined) found.push({ path, ...parseLines(text) })
  }
  return found
}

/** Resolves with `absent` when the file does not exist: another process claimed it first. */
async function unlessAbsent<T, A>(operation: Promise<T>, absent: A): Promise<T | A> {
  try {
    return await operation
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return absent
    throw cause
  }
}

function parseLines(text: string): Pick<RecoveredSettlements, 'inputs' | 'unreadable'> {
  const lines = text.split('\n').slice(0, -1)
  const inputs = lines.flatMap((line) => {
    const parsed = SettleInputSchema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
  return { inputs, unreadable: lines.length - inputs.length }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // The caller counts it as unreadable.
    return undefined
  }
}

/** Removes a file whose settlements were all answered. One with unreadable lines is renamed to `….unreadable` for the operator. */
export async function removeRecoveredSettlements({ path, unreadable }: RecoveredSettlements): Promise<void> {
  if (unreadable === 0) await rm(path, { force: true })
  else await unlessAbsent(rename(path, `${path}.unreadable`), undefined)
}
