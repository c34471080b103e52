import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { isPortTaken } from '@tollgate/servers/free-port'
import { isAlive } from '@tollgate/servers/local-process'
import { builtConsole } from './built-console.ts'

const root = join(import.meta.dirname, '../../..')

export type Running = {
  readonly child: ChildProcess
  output(): string
  printed(pattern: RegExp): Promise<void>
}

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** A copy of the working tree in a folder of its own, with its own state and ports, and with the console built, which is the same in each. */
export type Clone = {
  readonly dir: string
  readonly stateDir: string
  readonly port: number
  launch(args: readonly string[], env?: Record<string, string>): Running
  /** The same inside a pseudo-terminal: input reaches the whole foreground process group, like Ctrl-C in a terminal. */
  launchInTerminal(args: readonly string[]): Running
  runToEnd(args: readonly string[], env?: Record<string, string>): Promise<Ended>
  /** Runs a printed command line in a shell; its output also goes to the file `streams`, so that a test can wait for the first byte. */
  shell(line: string): Promise<string>
  pidOf(name: string): Promise<number>
  /** Processes that have a pid file or whose command line or working folder belongs to this clone. */
  livePids(): Promise<string[]>
  /** Stops what was launched. */
  endAll(): Promise<void>
  remove(): Promise<void>
}

export async function createClone(): Promise<Clone> {
  const consoleDir = await builtConsole()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-clone-'))
  await copyWorkingTree(dir)
  await cp(consoleDir, join(dir, 'web/console/dist'), { recursive: true })
  await chmod(dir, 0o700)
  const port = await findFreeRange()
  const running: ChildProcess[] = []
  const bootstrap = join(dir, 'deploy/standalone/bootstrap.mjs')
  const env = { ...PROCESS_ENV, HOME: process.env['HOME'] ?? '', PORT: String(port), RELAY_PROCESSES: '2' }
  const runToEnd: Clone['runToEnd'] = async (args, more = {}) =>
    await new Promise((resolve) => {
      const child = execFile(process.execPath, [bootstrap, ...args], { cwd: dir, env: { ...env, ...more } }, (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr })
      })
    })
  const stateDir = (await runToEnd(['start', '--where'])).stdout.trim()
  const watched = (child: ChildProcess): Running => {
    running.push(child)
    return watch(child)
  }
  return {
    dir,
    stateDir,
    port,
    runToEnd,
    launch: (args, more = {}) =>
      watched(
        spawn(process.execPath, [bootstrap, ...args], {
          cwd: dir,
          env: { ...env, ...more },
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
        }),
      ),
    launchInTerminal: (args) => {
      const command = [process.execPath, bootstrap, ...args].join(' ')
      return watched(spawn('script', ['-qefc', command, '/dev/null'], { cwd: dir, env, stdio: ['pipe', 'pipe', 'pipe'] }))
    },
    shell: async (line) =>
      await new Promise((resolve) => {
        execFile('sh', ['-c', `${line} | tee -a ${join(dir, 'streams')}`], { maxBuffer: 16 << 20 }, (_, stdout) => resolve(stdout))
      }),
    pidOf: async (name) => {
      const { pid }: { pid: number } = JSON.parse(await readFile(join(stateDir, 'pids', `${name}.json`), 'utf8'))
      return pid
    },
    livePids: async () => await livePids(dir, stateDir),
    endAll: async () => {
      for (const child of running.splice(0)) await end(child)
    },
    remove: async () => {
      await runToEnd(['clean'])
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function watch(child: ChildProcess): Running {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const printed = async (pattern: RegExp): Promise<void> => {
    await vi.waitFor(
      () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`)
        expect(output).toMatch(pattern)
      },
      { timeout: 90_000, interval: 50 },
    )
  }
  return { child, output: () => output, printed }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** The line for a first call that the demo prints. */
export function curlOf(demo: Running): string {
  return /^curl [^\r\n]*/m.exec(demo.output())?.[0] ?? ''
}

async function livePids(dir: string, stateDir: string): Promise<string[]> {
  const noted = await readdir(join(stateDir, 'pids'))
  const listed = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  const ours = listed.filter(
    (line) => (line.includes(dir) || line.includes(stateDir)) && !/^\s*\d+\s+Z/.test(line) && !line.includes(' sh -c '),
  )
  return [...noted, ...ours.filter((line) => isAlive(Number(line.trim().split(' ')[0])))]
}

/** The first of ten ports for `PORT`. Test files run side by side, so each begins its search elsewhere. */
export async function findFreeRange(start = 21_000 + (process.pid % 1000) * 10): Promise<number> {
  for (let first = start; first < 60_000; first += 10) {
    const taken = await Promise.all([0, 1, 2, 4, 5].map((offset) => isPortTaken(first + offset)))
    if (!taken.includes(true)) return first
  }
  throw new Error('no free ports')
}

/** A copy of the working tree with links to the installed packages, like a clone after `npm ci`. */
async function copyWorkingTree(target: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, maxBuffer: 64 << 20 })
  const present = execFileSync('xargs', ['-0', 'sh', '-c', 'for f; do [ -e "$f" ] && printf "%s\\0" "$f"; done; true', 'sh'], {
    cwd: root,
    input: listed,
    maxBuffer: 64 << 20,
  })
  execFileSync('sh', ['-c', `tar --null -T - -cf - | tar -xf - -C ${target}`], { cwd: root, input: present, maxBuffer: 64 << 20 })
  execFileSync(
    'sh',
    ['-c', `cp -al node_modules ${target}/ 2>/dev/null || { rm -rf ${target}/node_modules; cp -a node_modules ${target}/; }`],
    { cwd: root },
  )
}
