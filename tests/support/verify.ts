import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Lines of `npm run verify:ledger`, run with this environment, that are not ok. */
export async function listDifferences(env: Readonly<Record<string, string>>): Promise<string[]> {
  const script = join(import.meta.dirname, '../../services/worker/src/verify-ledger.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env })
  return stdout.split('\n').filter((line) => /\d+ {2}/.test(line) && !line.endsWith('ok'))
}
