import { resolve } from 'node:path'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { readOrCreateKeys } from '../machine/keys.ts'
import type { Paths } from '../machine/paths.ts'
import { runCommand } from '../processes/run-command.ts'
import { withStores } from './with-stores.ts'

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

/** `npm run export -- --to FOLDER`: writes what is an operator's own as open files, while Tollgate runs or not. docs/guides/moving-out.md */
export async function exportTo({ paths, env, args }: Command): Promise<number> {
  const at = args.indexOf('--to') + 1
  const own = args.map((arg, index) => (at > 0 && index === at ? resolve(arg) : arg))
  return await withStores({ paths, env }, async ({ ownerUrl, redisUrl }) => {
    const { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS } = await readOrCreateKeys(paths)
    const keys = { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS }
    const script = 'services/control-plane/src/export.ts'
    return (await runCommand(paths, { script, args: own, env: { ...keys, DATABASE_URL: ownerUrl, REDIS_URL: redisUrl } })) ?? 1
  })
}
