import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ALL_CLIENTS } from '@tollgate/domain/clients/all-clients'
import type { Client, ClientValues, SetupPart } from '@tollgate/domain/clients/client'
import { run } from '../tools.ts'
import { PATHS, type Recorder } from './recorder.ts'
import type { Tool } from './tools.ts'

export type Outcome = { readonly tool: Tool; readonly isOk: boolean; readonly seen: string }

type Trial = { readonly tool: Tool; readonly dir: string; readonly values: ClientValues; readonly recorder: Recorder }

const RUN_MS = 120_000

/** Sets a client up in a fresh home folder, as its page says, and looks whether it took address, key and model unchanged. */
export async function trySetup(trial: Trial): Promise<Outcome> {
  const home = await mkdtemp(join(tmpdir(), 'tollgate-setup-'))
  try {
    return trial.tool.kind === 'runs' ? await runTool(trial, trial.tool, home) : await readFiles(trial, home)
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runTool({ tool, dir, values, recorder }: Trial, how: Extract<Tool, { kind: 'runs' }>, home: string): Promise<Outcome> {
  const { client, parts } = setupOf(how, values)
  await writeHome(parts, home)
  recorder.forget()
  const { command, args } = await commandOf(how, parts, dir)
  const path = [join(dir, 'node_modules/.bin'), join(dir, 'bin'), process.env['PATH']].join(':')
  const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', NO_COLOR: '1', ...how.env }
  const { stdout, stderr } = await run(command, args, { cwd: home, env, timeoutMs: RUN_MS })
  const seen = recorder.first()
  const isOk = seen !== undefined && PATHS[client.format].test(seen.path) && seen.key === values.key && seen.model === values.model
  return { tool, isOk, seen: seen === undefined ? `no request: ${(stdout + stderr).trim().slice(-300)}` : JSON.stringify(seen) }
}

/** Programs are written beside their packages, commands run in a shell. */
async function commandOf(
  { command, append = '' }: Extract<Tool, { kind: 'runs' }>,
  parts: readonly SetupPart[],
  dir: string,
): Promise<{ readonly command: string; readonly args: readonly string[] }> {
  const code = parts.flatMap((part) => (part.kind === 'code' && part.file === undefined ? [part] : []))
  const [program] = code
  if (program?.language === 'python' || program?.language === 'javascript') {
    const isPython = program.language === 'python'
    const file = join(dir, isPython ? 'setup_program.py' : 'setup-program.mjs')
    await writeFile(file, program.code)
    return { command: isPython ? join(dir, 'bin/python') : process.execPath, args: [file] }
  }
  const lines = [...code.map((part) => part.code), ...(command === undefined ? [] : [command])]
  return { command: 'bash', args: ['-c', lines.join('\n') + append] }
}

async function readFiles({ tool, dir, values }: Trial, home: string): Promise<Outcome> {
  const { parts } = setupOf(tool, values)
  const files = await writeHome(parts, home)
  const { stdout, stderr } = await run(process.execPath, [join(dir, 'readers.mjs'), tool.client, ...files], { timeoutMs: RUN_MS })
  const isOk = stdout.trim() === JSON.stringify({ address: `${values.address}/v1`, key: values.key, model: values.model })
  return { tool, isOk, seen: stdout.trim() === '' ? stderr.trim().slice(-300) : stdout.trim() }
}

/** Writes the files of a set-up and gives their paths. */
async function writeHome(parts: readonly SetupPart[], home: string): Promise<readonly string[]> {
  const written: string[] = []
  for (const part of parts) {
    if (part.kind !== 'code' || part.file === undefined) continue
    const path = join(home, part.file.replace(/^~\//, ''))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, part.code)
    written.push(path)
  }
  return written
}

function setupOf(tool: Tool, values: ClientValues): { readonly client: Client; readonly parts: readonly SetupPart[] } {
  const client = ALL_CLIENTS.find(({ id }) => id === tool.client)
  if (client === undefined) throw new Error(`no client ${tool.client}`)
  const setup = client.setups.find(({ name }) => tool.kind === 'runs' && name === tool.setup) ?? client.setups[0]
  return { client, parts: setup.parts(values, 'unix') }
}
