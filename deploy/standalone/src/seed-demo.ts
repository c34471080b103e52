import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { readOrCreateKeys } from './keys.ts'
import type { Paths } from './paths.ts'
import { findRunningStores } from './verify-ledger.ts'

/** `npm run seed:demo`: fills the Tollgate that `npm start` runs from this clone with thirty days of made-up requests. */
export async function seedDemoData({ paths, env }: { readonly paths: Paths; readonly env: LauncherEnv }): Promise<number> {
  const { ownerUrl, redisUrl } = await findRunningStores(paths, env).catch((error: unknown) => {
    throw new Error('start Tollgate with "npm start" first: the demo data goes into the running one', { cause: error })
  })
  const { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS } = await readOrCreateKeys(paths)
  const child = spawn(process.execPath, ['services/control-plane/src/seed-demo.ts'], {
    cwd: paths.root,
    env: inheritedEnv({ KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS, DATABASE_URL: ownerUrl, REDIS_URL: redisUrl }),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'exit')
  return child.exitCode ?? 1
}
