import { parseArgs } from 'node:util'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { generateKeys, readKeys, writeKeys, type Keys } from '../machine/keys.ts'
import { log } from '../machine/log.ts'
import type { Paths } from '../machine/paths.ts'
import { findLive } from '../processes/pid-files.ts'
import { runCommand } from '../processes/run-command.ts'
import { withStartedStores } from './with-stores.ts'

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

const ROTATED = ['KEY_CHANNELS', 'KEY_OPTIONS', 'INTERNAL_SECRETS'] as const
type Rotated = Pick<Keys, (typeof ROTATED)[number]>

/**
 * `npm run rotate:keys`: puts new keys before the old ones and seals everything in Postgres with them. `--drop-old` seals what is left and
 * removes the old keys. Tollgate must be stopped. docs/guides/keys.md
 */
export async function rotateKeys({ paths, env, args }: Command): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { 'drop-old': { type: 'boolean', default: false } } })
  const drops = values['drop-old']
  const old = await readKeys(paths)
  const running = await findLive(paths, 'launcher')
  if (running !== undefined) throw new Error(`Tollgate is running from this folder (pid ${running.pid}); stop it first`)
  if (drops && !hasOldKeys(old)) throw new Error('there are no old keys to remove')
  const wanted = drops ? old : { ...old, ...withNewKeys(old) }
  // Written before anything is sealed with them: a crash must not leave texts whose key is lost.
  if (!drops) await writeKeys(paths, wanted)
  const code = await withStartedStores({ paths, env }, async ({ ownerUrl }) => {
    const { KEY_CHANNELS, KEY_OPTIONS } = wanted
    return (
      (await runCommand(paths, { script: 'services/worker/src/reseal.ts', env: { DATABASE_URL: ownerUrl, KEY_CHANNELS, KEY_OPTIONS } })) ??
      1
    )
  })
  if (code !== 0) return code
  if (drops) await writeKeys(paths, { ...old, ...withoutOldKeys(old) })
  log(
    drops
      ? 'removed the old keys. Backups made before hold the old keys themselves'
      : 'new keys are in use from the next start. Remove the old ones with "npm run rotate:keys -- --drop-old" when kept conversations have expired',
  )
  return 0
}

export function withNewKeys(old: Rotated): Rotated {
  const fresh = generateKeys()
  return {
    KEY_CHANNELS: join(fresh.KEY_CHANNELS, old.KEY_CHANNELS),
    KEY_OPTIONS: join(fresh.KEY_OPTIONS, old.KEY_OPTIONS),
    INTERNAL_SECRETS: join(fresh.INTERNAL_SECRETS, old.INTERNAL_SECRETS),
  }
}

export function withoutOldKeys(keys: Rotated): Rotated {
  return {
    KEY_CHANNELS: firstOf(keys.KEY_CHANNELS),
    KEY_OPTIONS: firstOf(keys.KEY_OPTIONS),
    INTERNAL_SECRETS: firstOf(keys.INTERNAL_SECRETS),
  }
}

const join = (fresh: string, old: string): string => `${fresh},${old}`
const firstOf = (list: string): string => list.split(',')[0] ?? list

function hasOldKeys(keys: Rotated): boolean {
  return ROTATED.some((name) => keys[name].includes(','))
}
