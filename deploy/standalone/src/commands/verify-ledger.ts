import type { LauncherEnv } from '@tollgate/config/launcher-env'
import type { Paths } from '../machine/paths.ts'
import { runCommand } from '../processes/run-command.ts'
import { withStores } from './with-stores.ts'

/** Exit code of a check that could not run. */
const COULD_NOT_RUN = 2

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

/**
 * `npm run verify:ledger`: runs the worker's verifier on the stores of this clone, which it starts if needed, or on those of
 * DATABASE_URL and REDIS_URL. Exits with the verifier's code.
 */
export async function verifyLedger({ paths, env, args }: Command): Promise<number> {
  return await withStores({ paths, env, failed: COULD_NOT_RUN }, async ({ ownerUrl, redisUrl }) => {
    const script = 'services/worker/src/verify-ledger.ts'
    return (await runCommand(paths, { script, args, env: { DATABASE_URL: ownerUrl, REDIS_URL: redisUrl } })) ?? COULD_NOT_RUN
  })
}
