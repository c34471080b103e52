import { createHash } from 'node:crypto'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LauncherEnv } from '@tollgate/config/launcher-env'

export type Paths = {
  /** The clone. */
  readonly root: string
  /** Data, keys, logs and pid files of the installation. */
  readonly stateDir: string
}

/**
 * Where this clone keeps its state. As root that is outside the clone, because Postgres then runs as a system user, and that user
 * cannot reach a clone inside a folder only its owner may enter.
 */
export async function findPaths(env: Pick<LauncherEnv, 'TOLLGATE_STATE_DIR'>): Promise<Paths> {
  const root = await realpath(resolve(dirname(fileURLToPath(import.meta.url)), '../../../..'))
  if (env.TOLLGATE_STATE_DIR !== '') return { root, stateDir: resolve(env.TOLLGATE_STATE_DIR) }
  if (process.getuid?.() !== 0) return { root, stateDir: join(root, '.data') }
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return { root, stateDir: join('/var/lib/tollgate', hash) }
}

/** Creates the state folder. Other users may traverse it (Postgres' system user must) but not list it; secret files are 0600. */
export async function createStateDir({ stateDir }: Paths): Promise<void> {
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o755 })
    await chmod(stateDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    for (const folder of ['pids', 'log', 'relay']) await mkdir(join(stateDir, folder), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(`the state folder ${stateDir} cannot be written; choose another with TOLLGATE_STATE_DIR`, { cause: error })
  }
}
