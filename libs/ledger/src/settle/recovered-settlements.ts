import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Limits } from '@tollgate/contracts/limits'
import type { ShapeOf } from '@tollgate/contracts/shape-of'
import type { SettleInput } from '../client/types.ts'

/** Settlements an earlier process left on disk: one file per owner, a JSON line each. Claimed: no other process reads this file. */
export type Leftover = {
  readonly path: string
  readonly inputs: readonly SettleInput[]
  /** Whole lines that are no settlement. A last line without its end is none: its request was told nothing. */
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
  body: z.string(),
} satisfies ShapeOf<SettleInput>)

/** `settle-<owner>.jsonl`, and `settle-<owner>.<claimer>.jsonl` once somebody took it to settle what it holds. */
const FILE = /^settle-([0-9a-f-]+)(?:\.([0-9a-f-]+))?\.jsonl$/

/**
 * Takes what earlier processes left: each file is renamed before it is read, so that of two that start at once one has it. A file
 * of a living process, or one that somebody has claimed just now, may be taken too: settling twice is harmless (`already`), a
 * living owner notices that its file is gone (settle-file.ts), and nobody has read what was taken away before.
 */
export async function claimLeftovers(dir: string, relay_id: string): Promise<Leftover[]> {
  const found: Leftover[] = []
  for (const name of await unlessGone(readdir(dir), [])) {
    const [, writer, claimer] = FILE.exec(name) ?? []
    if (writer === undefined || writer === relay_id || claimer === relay_id) continue
    const path = join(dir, `settle-${writer}.${relay_id}.jsonl`)
    const text = await unlessGone(
      rename(join(dir, name), path).then(() => readFile(path, 'utf8')),
      undefined,
    )
    if (text !== undefined) found.push({ path, ...parseLines(text) })
  }
  return found
}

/** `absent` where there is no such file (any more): another process was faster. */
async function unlessGone<T, A>(asked: Promise<T>, absent: A): Promise<T | A> {
  try {
    return await asked
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return absent
    throw cause
  }
}

function parseLines(text: string): Pick<Leftover, 'inputs' | 'unreadable'> {
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
    // The caller counts it.
    return undefined
  }
}

/** Everything in it was answered. What could not be read is kept under another name for whoever wants to look. */
export async function removeLeftover({ path, unreadable }: Leftover): Promise<void> {
  if (unreadable === 0) await rm(path, { force: true })
  else await unlessGone(rename(path, `${path}.unreadable`), undefined)
}
