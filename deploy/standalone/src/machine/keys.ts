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

export const KEYS_FILE = 'keys.json'

/** The keys of this installation: created once, mode 0600. Without them, sealed channel keys cannot be read. */
export async function readOrCreateKeys(paths: Paths): Promise<Keys> {
  const file = join(paths.stateDir, KEYS_FILE)
  const text = await findText(file)
  if (text === undefined) return await createKeys(paths)
  await chmod(file, 0o600)
  return parseKeys(text, file)
}

/** The keys of an installation that exists. */
export async function readKeys({ stateDir }: Pick<Paths, 'stateDir'>): Promise<Keys> {
  return await readKeysFile(join(stateDir, KEYS_FILE), `there is no installation in ${stateDir}`)
}

/** Keys from any file; `absent` says what a missing file means. */
export async function readKeysFile(file: string, absent: string): Promise<Keys> {
  const text = await findText(file)
  if (text === undefined) throw new Error(`${absent}: ${file} is missing`)
  return parseKeys(text, file)
}

/** Replaces the keys. A crash leaves either the old file or the new one. */
export async function writeKeys({ stateDir }: Pick<Paths, 'stateDir'>, keys: Keys): Promise<void> {
  const file = join(stateDir, KEYS_FILE)
  await writeFile(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

async function findText(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`the keys in ${file} cannot be read`, { cause: error })
  })
}

function parseKeys(text: string, file: string): Keys {
  try {
    return Keys.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`the keys in ${file} are damaged; restore the file from a backup, or give up all data with "npm run clean"`, {
      cause: error,
    })
  }
}

/** Keys that every deployment needs, made at random. Their ids are the time, because two keys in use must have different ones. */
export function generateKeys() {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')
  return {
    KEY_CHANNELS: `c${time}:${randomBytes(32).toString('base64url')}`,
    KEY_OPTIONS: `o${time}:${randomBytes(32).toString('base64url')}`,
    INTERNAL_SECRETS: randomBytes(48).toString('base64url'),
  }
}

/** A random password that needs no escaping in a URL. */
export function generatePassword(): string {
  return randomBytes(24).toString('hex')
}

async function createKeys(paths: Paths): Promise<Keys> {
  const keys: Keys = { ...generateKeys(), postgres_password: generatePassword(), redis_password: generatePassword() }
  await writeKeys(paths, keys)
  return keys
}
