import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { readOrCreateKeys } from '../machine/keys.ts'
import type { Paths } from '../machine/paths.ts'
import { runCommand } from '../processes/run-command.ts'
import { migrateDatabase } from './start.ts'
import { withStores } from './with-stores.ts'

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

/** `npm run import -- --from ADDRESS`: carries the database of another gateway into this one, running or not. docs/guides/moving-in.md */
export async function importFrom({ paths, env, args }: Command): Promise<number> {
  return await withStores({ paths, env }, async ({ ownerUrl, redisUrl }) => {
    await migrateDatabase((env.DATABASE_URL !== '' && env.MIGRATE_DATABASE_URL) || ownerUrl)
    const { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS } = await readOrCreateKeys(paths)
    const keys = { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS }
    const script = 'services/control-plane/src/import.ts'
    return (await runCommand(paths, { script, args, env: { ...keys, DATABASE_URL: ownerUrl, REDIS_URL: redisUrl } })) ?? 1
  })
}
