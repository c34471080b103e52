import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { SettleInput } from './ledger-types.ts'

/** Settlements on disk between two processes: one file per owner, a JSON line each. */
export type Leftover = { readonly path: string; readonly inputs: readonly SettleInput[] }

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
  body: z.string(),
}) satisfies z.ZodType<SettleInput>

const FILE = /^settle-[0-9a-f-]+\.jsonl$/

/** Writes all or nothing: the file gets its name when it is complete. */
export async function writeLeftovers(dir: string, owner: string, inputs: readonly SettleInput[]): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, `settle-${owner}.jsonl`)
  await writeFile(`${path}.part`, inputs.map((input) => `${JSON.stringify(input)}\n`).join(''), { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
}

/** What earlier processes left; reading twice is harmless, because settle knows what it has done. */
export async function listLeftovers(dir: string, owner: string): Promise<Leftover[]> {
  const names = await readdir(dir).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw cause
  })
  const mine = `settle-${owner}.jsonl`
  const found: Leftover[] = []
  for (const name of names) {
    if (!FILE.test(name) || name === mine) continue
    const path = join(dir, name)
    const text = await readFile(path, 'utf8').catch(() => '')
    found.push({
      path,
      inputs: text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => SettleInputSchema.parse(JSON.parse(line))),
    })
  }
  return found
}

export async function removeLeftover({ path }: Leftover): Promise<void> {
  await rm(path, { force: true })
}
