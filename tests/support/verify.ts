import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Lines of `npm run verify:ledger`, run with this environment, that are not ok. An exit code other than 0 is thrown with what it printed. */
export async function listDifferences(env: Readonly<Record<string, string>>): Promise<string[]> {
  const script = join(import.meta.dirname, '../../services/worker/src/verify-ledger.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env }).catch((error: unknown) => {
    const { code, stdout: printed, stderr } = error as { code?: unknown; stdout?: string; stderr?: string } // of execFile
    throw new Error(`verify-ledger ended with ${String(code)}: ${stderr}${printed}`, { cause: error })
  })
  return stdout.split('\n').filter((line) => /\d+ {2}/.test(line) && !line.endsWith('ok'))
}
