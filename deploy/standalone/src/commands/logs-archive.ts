import type { LauncherEnv } from '@tollgate/config/launcher-env'
import type { Paths } from '../machine/paths.ts'
import { runCommand } from '../processes/run-command.ts'
import { withStores } from './with-stores.ts'

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

/** `npm run logs:archive`: moves months of the log to the object store and back, while Tollgate runs or not. docs/guides/archive.md */
export async function archiveLogs({ paths, env, args }: Command): Promise<number> {
  return await withStores({ paths, env }, async ({ ownerUrl }) => {
    const script = 'services/worker/src/logs-archive.ts'
    return (await runCommand(paths, { script, args, env: { DATABASE_URL: ownerUrl } })) ?? 1
  })
}
