import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { Env } from './fleet.ts'

export type Verdict = { readonly code: number; readonly text: string; readonly ms: number }

/** Runs the ledger verifier of the version in `root`. */
export async function verifyLedger(root: string, env: Env): Promise<Verdict> {
  const began = Date.now()
  const args = [join(root, 'services/worker/src/verify-ledger.ts'), '--sample', '20000']
  const { code, text } = await promisify(execFile)(process.execPath, args, { cwd: root, env: inheritedEnv(env) }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code: exit, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code: exit, text: stdout + stderr }),
  )
  return { code, text, ms: Date.now() - began }
}

/** The names of the checks that found differences. */
export const differencesOf = ({ text }: Verdict): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const [, check] = /^(.+?) {2,}\d+ {2}\d+ DIFFERENT$/.exec(line) ?? []
    return check === undefined ? [] : [check]
  })
