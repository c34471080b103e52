import { spawn } from 'node:child_process'

/** The run cannot start; the message says why in one line. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
}

type Run = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly timeoutMs?: number }

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a command until it exits or times out, without standard input. Its own children end with it. */
export async function run(command: string, args: readonly string[], { cwd, env, timeoutMs = 300_000 }: Run = {}): Promise<Ran> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), timeoutMs)
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (out.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (out.stderr += chunk.toString()))
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...out }))
  })
  return await ended.finally(() => clearTimeout(timer))
}

/** Throws a ClientError if the tool does not run. */
export async function requireTool(command: string, args: readonly string[], name: string): Promise<void> {
  const ran = await run(command, args).catch(() => undefined)
  if (ran?.code !== 0) throw new ClientError(`${name} needs \`${[command, ...args].join(' ')}\` to work here`)
}

/** Runs the clients and exits with 0 if all of them passed. */
export async function runClients(check: () => Promise<boolean>): Promise<never> {
  try {
    process.exit((await check()) ? 0 : 1)
  } catch (error) {
    console.error(error instanceof ClientError ? error.message : error)
    process.exit(1)
  }
}
