import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ClientError, run, type Ran } from '../tools.ts'
import type { Agent, AgentSetup } from './agents.ts'

/** An agent in a fresh home and working folder. */
export type Session = {
  readonly work: string
  /** Runs a turn in a process of its own; those after the first resume the session. */
  turn(number: number, prompt: string, timeoutMs?: number): Promise<Ran>
  close(): Promise<void>
}

const TURN_MS = 120_000

export async function openSession(
  agent: Agent,
  { binary, url, key }: { readonly binary: string; readonly url: string; readonly key: string },
): Promise<Session> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-agent-'))
  const setup: AgentSetup = { home: join(dir, 'home'), work: join(dir, 'work'), url, key }
  await mkdir(setup.home, { recursive: true })
  await mkdir(setup.work, { recursive: true })
  for (const [name, text] of Object.entries(agent.files?.(setup) ?? {})) {
    await mkdir(dirname(join(setup.home, name)), { recursive: true })
    await writeFile(join(setup.home, name), text)
  }
  // The agent inherits only PATH.
  const env = { PATH: process.env['PATH'], HOME: setup.home, TERM: 'dumb', CI: '1', NO_COLOR: '1', ...agent.env(setup) }
  return {
    work: setup.work,
    turn: (number, prompt, timeoutMs = TURN_MS) => run(binary, agent.args(prompt, number, setup), { cwd: setup.work, env, timeoutMs }),
    close: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** The path of the agent's binary in the cache of npx. */
export async function fetchAgent({ package: name, binary }: Agent): Promise<string> {
  const found = await run('npx', ['--yes', '--package', name, '-c', `command -v ${binary}`])
  const path = found.stdout.trim().split('\n').at(-1) ?? ''
  if (found.code !== 0 || path === '')
    throw new ClientError(`clients:agents could not fetch ${name}: ${found.stderr.trim().split('\n').at(-1)}`)
  return path
}
