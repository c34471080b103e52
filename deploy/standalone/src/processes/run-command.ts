import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { Paths } from '../machine/paths.ts'

type Command = { readonly script: string; readonly args?: readonly string[]; readonly env: Readonly<Record<string, string>> }

/** Runs a command of a service with our terminal as its output; returns its exit code, or undefined after a signal. */
export async function runCommand({ root }: Paths, { script, args = [], env }: Command): Promise<number | undefined> {
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env: inheritedEnv(env), stdio: ['ignore', 'inherit', 'inherit'] })
  await once(child, 'exit')
  return child.exitCode ?? undefined
}
