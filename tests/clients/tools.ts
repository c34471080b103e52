import { spawn } from 'node:child_process'

/** A lane cannot run: one line says why. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
}

type Run = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly timeoutMs?: number }

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a command to its end, or to its time. It never reads our standard input. */
export async function run(command: string, args: readonly string[], { cwd, env, timeoutMs = 300_000 }: Run = {}): Promise<Ran> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' })
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (out.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (out.stderr += chunk.toString()))
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...out }))
  })
}

/** Fails the lane with one line unless the tool is there. */
export async function requireTool(command: string, args: readonly string[], lane: string): Promise<void> {
  const ran = await run(command, args).catch(() => undefined)
  if (ran?.code !== 0) throw new ClientError(`${lane} needs \`${[command, ...args].join(' ')}\` to work here`)
}

/** Runs a lane: its exit code says whether all of it passed. */
export async function runClients(lane: () => Promise<boolean>): Promise<never> {
  try {
    process.exit((await lane()) ? 0 : 1)
  } catch (error) {
    console.error(error instanceof ClientError ? error.message : error)
    process.exit(1)
  }
}
