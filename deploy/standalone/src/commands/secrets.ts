import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateKeys, generatePassword } from '../machine/keys.ts'
import { log } from '../machine/log.ts'

/** `npm run secrets`: writes the keys and passwords of docker-compose.yml to `.env` (mode 0600). Never overwrites the file. */
export async function createSecrets(root: string): Promise<number> {
  const file = join(root, '.env')
  const secrets = {
    ...generateKeys(),
    POSTGRES_PASSWORD: generatePassword(),
    OWNER_PASSWORD: generatePassword(),
    ROWS_PASSWORD: generatePassword(),
    REDIS_PASSWORD: generatePassword(),
    SETUP_CODE: generatePassword().slice(0, 12),
    GRAFANA_PASSWORD: generatePassword().slice(0, 16),
  }
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`)
  try {
    await writeFile(file, lines.join(''), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    throw new Error(`${file} exists; move it away first if you mean to replace its keys, without which stored channel keys cannot be read`)
  }
  log(`wrote ${file}. Back it up: without its keys, stored channel keys and secret options cannot be read.`)
  return 0
}
