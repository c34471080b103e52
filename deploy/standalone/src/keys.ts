import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Paths } from './paths.ts'

const Keys = z.object({
  KEY_CHANNELS: z.string(),
  KEY_OPTIONS: z.string(),
  INTERNAL_SECRETS: z.string(),
  postgres_password: z.string(),
  redis_password: z.string(),
})
export type Keys = z.infer<typeof Keys>

/** The keys of this installation: created once, mode 0600. Without them, sealed channel keys cannot be read. */
export async function readOrCreateKeys(paths: Paths): Promise<Keys> {
  const file = join(paths.stateDir, 'keys.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`the keys in ${file} cannot be read`, { cause: error })
  })
  if (text === undefined) return await createKeys(file)
  await chmod(file, 0o600)
  try {
    return Keys.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`the keys in ${file} are damaged; restore the file from a backup, or give up all data with "npm run clean"`, {
      cause: error,
    })
  }
}

/** Keys that every deployment needs, made at random. */
export function generateKeys() {
  return {
    KEY_CHANNELS: `c1:${randomBytes(32).toString('base64url')}`,
    KEY_OPTIONS: `o1:${randomBytes(32).toString('base64url')}`,
    INTERNAL_SECRETS: randomBytes(48).toString('base64url'),
  }
}

/** A random password that needs no escaping in a URL. */
export function generatePassword(): string {
  return randomBytes(24).toString('hex')
}

async function createKeys(file: string): Promise<Keys> {
  const keys: Keys = { ...generateKeys(), postgres_password: generatePassword(), redis_password: generatePassword() }
  await writeFile(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return keys
}
