import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { KEYS_FILE, readKeys, writeKeys } from '../machine/keys.ts'
import { log } from '../machine/log.ts'
import type { Paths } from '../machine/paths.ts'
import { runCommand } from '../processes/run-command.ts'
import { readSettlements, writeSettlements } from './settlements.ts'
import { withStores } from './with-stores.ts'

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

const OPTIONS = {
  wait: { type: 'string' },
  'allow-unposted': { type: 'boolean', default: false },
  'without-keys': { type: 'boolean', default: false },
} as const

/**
 * `npm run backup -- FOLDER`: writes the database, the keys and unanswered settlements into a new folder inside FOLDER, while Tollgate
 * runs or not. docs/guides/backup.md
 */
export async function backup({ paths, env, args }: Command): Promise<number> {
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  const [parent] = positionals
  if (parent === undefined || positionals.length > 1) throw new Error('name a folder: npm run backup -- /mnt/backups')
  // A wrong state folder would otherwise give a backup of a new, empty installation.
  const keys = await readKeys(paths)
  const dir = join(resolve(parent), `tollgate-${stampOf(new Date())}`)
  const started = Date.now()
  log(`writing ${dir} …`)
  const code = await withStores({ paths, env }, async ({ ownerUrl, redisUrl }) => {
    // Read before Postgres: what a relay settles meanwhile is then in both, and is posted once.
    const settlements = await readSettlements(paths.stateDir)
    const worker = [
      dir,
      ...(values.wait === undefined ? [] : ['--wait', values.wait]),
      ...(values['allow-unposted'] ? ['--allow-unposted'] : []),
    ]
    const script = 'services/worker/src/backup.ts'
    const written = await runCommand(paths, { script, args: worker, env: { DATABASE_URL: ownerUrl, REDIS_URL: redisUrl } })
    if (written !== 0) return 1
    await writeSettlements(dir, settlements)
    return 0
  })
  if (code !== 0) {
    await rm(dir, { recursive: true, force: true })
    return code
  }
  if (!values['without-keys']) await writeKeys({ stateDir: dir }, keys)
  log(`wrote ${dir} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  log(
    values['without-keys']
      ? `${KEYS_FILE} is not in it: keep a copy elsewhere`
      : `it holds ${KEYS_FILE}, which opens every secret in it: keep it safe`,
  )
  return 0
}

/** 20261123-160500, in UTC. */
function stampOf(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
}
