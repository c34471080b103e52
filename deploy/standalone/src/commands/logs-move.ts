import type { LauncherEnv } from '@tollgate/config/launcher-env'
import type { Paths } from '../machine/paths.ts'
import { runCommand } from '../processes/run-command.ts'
import { withStores } from './with-stores.ts'

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

/** `npm run logs:move`: copies log rows of Postgres to the log store, while Tollgate runs or not. docs/guides/scaling.md */
export async function moveLogs({ paths, env, args }: Command): Promise<number> {
  return await withStores({ paths, env }, async ({ ownerUrl, redisUrl }) => {
    const script = 'services/worker/src/logs-move.ts'
    return (await runCommand(paths, { script, args, env: { DATABASE_URL: ownerUrl, REDIS_URL: redisUrl } })) ?? 1
  })
}
