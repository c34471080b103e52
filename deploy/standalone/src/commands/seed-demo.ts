import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { readOrCreateKeys } from '../machine/keys.ts'
import type { Paths } from '../machine/paths.ts'
import { runCommand } from '../processes/run-command.ts'
import { findRunningStores } from './with-stores.ts'

/** `npm run seed:demo`: fills the Tollgate that `npm start` runs from this clone with thirty days of made-up requests. */
export async function seedDemoData({ paths, env }: { readonly paths: Paths; readonly env: LauncherEnv }): Promise<number> {
  const { ownerUrl, redisUrl } = await findRunningStores(paths, env).catch((error: unknown) => {
    throw new Error('start Tollgate with "npm start" first: the demo data goes into the running one', { cause: error })
  })
  const { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS } = await readOrCreateKeys(paths)
  const keys = { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS }
  const script = 'services/control-plane/src/seed-demo.ts'
  return (await runCommand(paths, { script, env: { ...keys, DATABASE_URL: ownerUrl, REDIS_URL: redisUrl } })) ?? 1
}
