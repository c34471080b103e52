import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MANIFEST_FILE } from '@tollgate/config/backup-manifest'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { KEYS_FILE, readKeysFile, writeKeys, type Keys } from '../machine/keys.ts'
import { log } from '../machine/log.ts'
import { stopOrphans, stopOrder } from '../processes/orphans.ts'
import { createStateDir, type Paths } from '../machine/paths.ts'
import { findLive } from '../processes/pid-files.ts'
import { runCommand } from '../processes/run-command.ts'
import { readSettlements, SETTLEMENTS, writeSettlements } from './settlements.ts'
import { withStartedStores } from './with-stores.ts'

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

/** Parts of an installation; logs and pid files are not among them. */
const PARTS = [KEYS_FILE, 'postgres', 'redis', SETTLEMENTS, 'demo.json'] as const

const OPTIONS = { overwrite: { type: 'boolean', default: false }, keys: { type: 'string' } } as const

/**
 * `npm run restore -- BACKUP`: makes an installation from a backup in this clone's state folder. One that exists is only replaced with
 * --overwrite, and then kept beside the new one. docs/guides/backup.md
 */
export async function restore({ paths, env, args }: Command): Promise<number> {
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  const [from] = positionals
  if (from === undefined || positionals.length > 1)
    throw new Error('name one backup: npm run restore -- /mnt/backups/tollgate-20261123-160500')
  const backup = resolve(from)
  if (!(await isThere(join(backup, MANIFEST_FILE)))) throw new Error(`${backup} is not a complete backup: it has no ${MANIFEST_FILE}`)
  const keys = await readKeysFile(resolve(values.keys ?? join(backup, KEYS_FILE)), 'the keys of this backup are needed (--keys FILE)')
  const running = await findLive(paths, 'launcher')
  if (running !== undefined) throw new Error(`Tollgate is running from this folder (pid ${running.pid}); stop it first`)
  await stopOrphans(paths, stopOrder)
  await makeRoom(paths, values.overwrite)
  const code = await load({ paths, env, backup, keys })
  if (code !== 0) await removeParts(paths)
  else log('restored. Start it with "npm start"; everyone has to sign in again')
  return code
}

/** Refuses to replace an installation, or moves it away. */
async function makeRoom(paths: Paths, mayReplace: boolean): Promise<void> {
  await createStateDir(paths)
  const present = await listParts(paths)
  if (present.length === 0) return
  if (!mayReplace) {
    throw new Error(`${paths.stateDir} has an installation; choose another folder with TOLLGATE_STATE_DIR, or replace it with --overwrite`)
  }
  const kept = join(paths.stateDir, `replaced-${Date.now()}`)
  await mkdir(kept, { mode: 0o700 })
  for (const part of present) await rename(join(paths.stateDir, part), join(kept, part))
  log(`moved the installation that was here to ${kept}; remove it when the new one works`)
  await createStateDir(paths)
}

type Load = { readonly paths: Paths; readonly env: LauncherEnv; readonly backup: string; readonly keys: Keys }

async function load({ paths, env, backup, keys }: Load): Promise<number> {
  await writeKeys(paths, keys)
  const code = await withStartedStores({ paths, env }, async ({ ownerUrl }) => {
    return (await runCommand(paths, { script: 'services/worker/src/restore.ts', args: [backup], env: { DATABASE_URL: ownerUrl } })) ?? 1
  })
  // The relays settle them at their first start; Postgres drops those that it has.
  if (code === 0) await writeSettlements(paths.stateDir, await readSettlements(backup))
  return code
}

/** Removes what a failed restore made, so that it can be tried again. */
async function removeParts(paths: Paths): Promise<void> {
  for (const part of PARTS) await rm(join(paths.stateDir, part), { recursive: true, force: true })
}

async function listParts({ stateDir }: Paths): Promise<string[]> {
  const names: string[] = []
  for (const part of PARTS) {
    const path = join(stateDir, part)
    if ((await isThere(path)) && (part !== SETTLEMENTS || (await readdir(path)).length > 0)) names.push(part)
  }
  return names
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
