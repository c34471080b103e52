import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { isPortTaken } from '@tollgate/servers/free-port'
import { isAlive } from '@tollgate/servers/local-process'

const root = join(import.meta.dirname, '../../..')
const READY = /Tollgate is ready/
const STOP_ORDER = ['relay', 'worker', 'control-plane', 'Redis', 'Postgres']

let clone = ''
let stateDir = ''
let port = 0
const running: ChildProcess[] = []

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'tollgate-clone-'))
  await copyWorkingTree(clone)
  await chmod(clone, 0o700)
  port = await findFreeRange()
  stateDir = (await runToEnd(['start', '--where'])).stdout.trim()
}, 180_000)

afterEach(async () => {
  for (const child of running.splice(0)) await end(child)
})

afterAll(async () => {
  await runToEnd(['clean'])
  await rm(clone, { recursive: true, force: true })
}, 120_000)

describe('npm start', () => {
  it('starts from a folder only its owner may enter, streams an answer, refuses a second start in one line, and stops in order', async () => {
    const first = launch(['start', '--demo'])
    await first.printed(READY)
    const streamed = await shell(curlOf(first))
    const second = await runToEnd(['start'])
    await end(first.child)

    expect(first.output()).not.toContain('not set up yet')
    expect(streamed).toContain('data: {')
    expect(streamed.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(
      new RegExp(`^tollgate: Tollgate already runs from this folder at http://localhost:${port} \\(pid \\d+\\)\n$`),
    )
    expect(first.child.exitCode).toBe(0)
    expect(stoppedIn(first.output())).toEqual(STOP_ORDER)
    expect(await livePids()).toEqual([])
  })

  it('keeps its keys and passwords to the owner', async () => {
    const { mode } = await stat(join(stateDir, 'keys.json'))

    expect(mode & 0o777).toBe(0o600)
  })

  it('starts again within half a minute, even when the pid of a dead process was reused, and restarts a service that exits', async () => {
    for (const name of ['postgres', 'launcher'])
      await writeFile(join(stateDir, `pids/${name}.json`), JSON.stringify({ pid: process.pid, born: 'another', port: 1 }))
    const since = Date.now()
    const started = launch(['start', '--demo'])
    await started.printed(READY)
    const took = Date.now() - since
    const streamed = await shell(curlOf(started))
    const worker = await pidOf('worker')

    process.kill(worker, 'SIGKILL')
    await started.printed(/worker ended \(signal SIGKILL\), starting it again in 1 s/)
    await vi.waitFor(async () => expect(await pidOf('worker')).not.toBe(worker), { timeout: 10_000 })
    await end(started.child)

    expect(took).toBeLessThan(30_000)
    expect(streamed).toContain('data: [DONE]')
    expect(started.child.exitCode).toBe(0)
    expect(await livePids()).toEqual([])
  })

  it('adopts the Postgres and Redis of a launcher that was killed, and stops in order on a Ctrl-C while requests are streaming', async () => {
    const killed = launch(['start'])
    await killed.printed(READY)
    const before = { postgres: await pidOf('postgres'), redis: await pidOf('redis'), relay: await pidOf('relay') }
    process.kill(await pidOf('launcher'), 'SIGKILL')
    killed.child.kill('SIGKILL')

    const terminal = launchInTerminal(['start', '--demo'])
    await terminal.printed(READY)
    const after = { postgres: await pidOf('postgres'), redis: await pidOf('redis'), relay: await pidOf('relay') }
    await rm(join(clone, 'streams'), { force: true })
    const streams = Array.from({ length: 5 }, () => shell(curlOf(terminal)))
    await terminal.isStreaming(5)
    terminal.child.stdin?.write('\u0003')
    await once(terminal.child, 'exit')

    expect(terminal.output()).toContain('an earlier launcher was killed: stopped its relay, worker, control-plane')
    expect(after).toMatchObject({ postgres: before.postgres, redis: before.redis })
    expect(after.relay).not.toBe(before.relay)
    expect(stoppedIn(terminal.output())).toEqual(STOP_ORDER)
    for (const answer of await Promise.all(streams)) expect(answer.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(await livePids()).toEqual([])
  })

  it('keeps running when its output has no reader, and then stops in order', async () => {
    const started = launch(['start'])
    started.child.stdout?.destroy()
    started.child.stderr?.destroy()
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200), { timeout: 90_000 })
    await end(started.child)

    expect(started.child.exitCode).toBe(0)
    expect(await livePids()).toEqual([])
  })

  it('says what it can do, when it is asked by --help', async () => {
    const ended = await runToEnd(['start', '--help'])

    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^use: npm start .*\nPORT=3100 npm start /)
  })
})

describe('npm start reports in one line with exit code 1', () => {
  it.each([0, 1])('that a port is taken (%i after the first)', async (offset) => {
    const other = createServer().listen(port + offset)
    await once(other, 'listening')

    const ended = await runToEnd(['start'])
    other.close()

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toBe(
      `tollgate: port ${port + offset} is taken by another program; stop it or choose other ports: PORT=${port + 1000} npm start\n`,
    )
  })

  it('that Redis is missing', async () => {
    const ended = await runToEnd(['start'], { PATH: clone })

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^tollgate: Redis is missing: [^\n]+ or set REDIS_URL\n$/)
  })

  it.each([
    [
      'no server listens',
      'postgres://someone:a-password@127.0.0.1:1/x',
      /^tollgate: DATABASE_URL: Postgres at 127\.0\.0\.1:1 refused the connection: [^\n]+\n$/,
    ],
    ['it is no address', 'localhost', /^tollgate: DATABASE_URL is no address of the form [^\n]+\n$/],
  ])('that DATABASE_URL is wrong: %s', async (_, url, line) => {
    const ended = await runToEnd(['start'], { DATABASE_URL: url })

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(ended.stderr).not.toContain('a-password')
  })

  it('that REDIS_URL is wrong', async () => {
    const ended = await runToEnd(['start'], { REDIS_URL: 'redis://:a-password@127.0.0.1:1' })

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^tollgate: REDIS_URL: Redis at 127\.0\.0\.1:1 refused the connection: [^\n]+\n$/)
    expect(ended.stderr).not.toContain('a-password')
  })

  it('that an option is unknown', async () => {
    const ended = await runToEnd(['start', '--dmeo'])

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^tollgate: unknown option --dmeo; [^\n]+\n$/)
  })
})

type Running = {
  readonly child: ChildProcess
  output(): string
  printed(pattern: RegExp): Promise<void>
  isStreaming(count: number): Promise<void>
}

function launch(args: readonly string[]): Running {
  return watch(
    spawn(process.execPath, [bootstrap(), ...args], { cwd: clone, env: environment(), stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
  )
}

/** The same inside a pseudo-terminal: input reaches the whole foreground process group, like Ctrl-C in a terminal. */
function launchInTerminal(args: readonly string[]): Running {
  const command = [process.execPath, bootstrap(), ...args].join(' ')
  return watch(spawn('script', ['-qefc', command, '/dev/null'], { cwd: clone, env: environment(), stdio: ['pipe', 'pipe', 'pipe'] }))
}

function watch(child: ChildProcess): Running {
  running.push(child)
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
  const isStreaming = async (count: number): Promise<void> => {
    await vi.waitFor(
      async () => expect(await readFile(join(clone, 'streams'), 'utf8')).toMatch(new RegExp(`(?:"role":"assistant"[^]*){${count}}`)),
      {
        timeout: 20_000,
      },
    )
  }
  return { child, output: () => output, printed, isStreaming }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function runToEnd(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [bootstrap(), ...args],
      { cwd: clone, env: { ...environment(), ...env } },
      (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr })
      },
    )
  })
}

/** Runs a printed command line in a shell; its output also goes to a file, so that a test can wait for the first byte. */
async function shell(line: string): Promise<string> {
  return await new Promise((resolve) => {
    execFile('sh', ['-c', `${line} | tee -a ${join(clone, 'streams')}`], { maxBuffer: 16 << 20 }, (_, stdout) => resolve(stdout))
  })
}

function bootstrap(): string {
  return join(clone, 'deploy/standalone/bootstrap.mjs')
}

function environment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PORT: String(port), RELAY_PROCESSES: '2' }
}

/** The line for a first call that the demo prints. */
function curlOf(demo: Running): string {
  return /^curl [^\r\n]*/m.exec(demo.output())?.[0] ?? ''
}

function stoppedIn(output: string): string[] {
  return [...output.matchAll(/stopping (.+?) …/g)].map(([, name = '']) => name).filter((name) => name !== 'model server')
}

async function pidOf(name: string): Promise<number> {
  const { pid }: { pid: number } = JSON.parse(await readFile(join(stateDir, 'pids', `${name}.json`), 'utf8'))
  return pid
}

/** Processes that have a pid file or whose command line or working folder belongs to this clone. */
async function livePids(): Promise<string[]> {
  const noted = await readdir(join(stateDir, 'pids'))
  const listed = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  const ours = listed.filter(
    (line) => (line.includes(clone) || line.includes(stateDir)) && !/^\s*\d+\s+Z/.test(line) && !line.includes(' sh -c '),
  )
  return [...noted, ...ours.filter((line) => isAlive(Number(line.trim().split(' ')[0])))]
}

async function findFreeRange(): Promise<number> {
  for (let first = 21_000; first < 60_000; first += 10) {
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
  execFileSync('sh', ['-c', `[ ! -d web/console/dist ] || cp -a web/console/dist ${target}/web/console/`], { cwd: root })
}
