import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { Env } from './fleet.ts'

const KEYS = ['KEY_CHANNELS', 'KEY_OPTIONS', 'INTERNAL_SECRETS'] as const

/** Runs a command of the launcher of the version in `root` on stores that it did not start. */
async function launch(root: string, env: Env, ...args: string[]): Promise<void> {
  const command = [join(root, 'deploy/standalone/src/main.ts'), ...args]
  await promisify(execFile)(process.execPath, command, { cwd: root, env: inheritedEnv(env), maxBuffer: 1e8 }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${args[0]} failed: ${stdout}${stderr}`)
    },
  )
}

/** Backs up the stores by the command of the version in `root`, and returns the folder of the backup. */
export async function backUp(root: string, env: Env, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const keys = Object.fromEntries(KEYS.map((name) => [name, env[name]]))
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ ...keys, postgres_password: 'p', redis_password: 'r' }))
  const parent = join(folder, 'backups')
  await launch(root, { ...env, TOLLGATE_STATE_DIR: folder }, 'backup', parent)
  return join(parent, (await readdir(parent))[0] ?? '')
}

/** Restores a backup into empty stores by the command of the version in `root`, and returns the variables with the keys of the backup. */
export async function restore(
  root: string,
  env: Env,
  { backup, folder }: { readonly backup: string; readonly folder: string },
): Promise<Env> {
  await launch(root, { ...env, TOLLGATE_STATE_DIR: folder }, 'restore', backup)
  const found = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as Env // written by the command
  return { ...env, ...Object.fromEntries(KEYS.map((name) => [name, found[name] ?? ''])) }
}
