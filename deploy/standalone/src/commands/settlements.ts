import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Folder, in the state folder and in a backup, of settlements that relays had on disk. */
export const SETTLEMENTS = 'relay'

type Settlements = ReadonlyMap<string, Buffer>

/** Files that disappear meanwhile were settled. */
export async function readSettlements(dir: string): Promise<Settlements> {
  const folder = join(dir, SETTLEMENTS)
  const found = new Map<string, Buffer>()
  for (const name of await unlessAbsent(readdir(folder), [])) {
    const bytes = name.endsWith('.jsonl') ? await unlessAbsent(readFile(join(folder, name)), undefined) : undefined
    if (bytes !== undefined) found.set(name, bytes)
  }
  return found
}

export async function writeSettlements(dir: string, settlements: Settlements): Promise<void> {
  const folder = join(dir, SETTLEMENTS)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, bytes] of settlements) await writeFile(join(folder, name), bytes, { mode: 0o600, flush: true })
}

async function unlessAbsent<T, U>(reading: Promise<T>, absent: U): Promise<T | U> {
  return await reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return absent
  })
}
