import { execFile } from 'node:child_process'
import { access, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'

const run = promisify(execFile)
export const NEW = resolve(import.meta.dirname, '../..')

/** Short hash of a commit of this clone. */
export async function commitOf(name: string): Promise<string> {
  return (await run('git', ['rev-parse', '--short=8', `${name}^{commit}`], { cwd: NEW })).stdout.trim()
}

/** Unpacks the files of a commit into a folder and installs its packages. A folder that has them is used as it is. */
export async function checkOut(commit: string, folder: string): Promise<void> {
  const isThere = await access(join(folder, 'node_modules/.package-lock.json')).then(
    () => true,
    () => false,
  )
  if (isThere) return
  await mkdir(folder, { recursive: true })
  await run('sh', ['-c', 'git -C "$1" archive "$2" | tar -x -C "$3"', 'sh', NEW, commit, folder])
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, env: inheritedEnv({}), maxBuffer: 1e8 })
}
