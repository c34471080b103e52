import { once } from 'node:events'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClone, curlOf, end, findFreeRange, type Clone } from '../test/clone.ts'

const READY = /Tollgate is ready/
const STOP_ORDER = ['relay', 'worker', 'control-plane', 'Redis', 'Postgres']

let clone: Clone

beforeAll(async () => {
  clone = await createClone()
}, 180_000)

afterEach(async () => {
  await clone.endAll()
})

afterAll(async () => {
  await clone.remove()
}, 120_000)

describe('npm start', () => {
  it('starts from a folder only its owner may enter, streams an answer, refuses a second start in one line, and stops in order', async () => {
    const first = clone.launch(['start', '--demo'])
    await first.printed(READY)
    const streamed = await clone.shell(curlOf(first))
    const second = await clone.runToEnd(['start'])
    await end(first.child)

    expect(first.output()).not.toContain('not set up yet')
    // The sources are those of the build.
    expect(first.output()).not.toContain('building the console')
    expect(streamed).toContain('data: {')
    expect(streamed.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(
      new RegExp(`^tollgate: Tollgate already runs from this folder at http://localhost:${clone.port} \\(pid \\d+\\)\n$`),
    )
    expect(first.child.exitCode).toBe(0)
    expect(stoppedIn(first.output())).toEqual(STOP_ORDER)
    expect(await clone.livePids()).toEqual([])
  })

  it('keeps its keys and passwords to the owner', async () => {
    const { mode } = await stat(join(clone.stateDir, 'keys.json'))

    expect(mode & 0o777).toBe(0o600)
  })

  it('starts again on another port within half a minute, even when the pid of a dead process was reused, and restarts a service that exits', async () => {
    for (const name of ['postgres', 'launcher'])
      await writeFile(join(clone.stateDir, `pids/${name}.json`), JSON.stringify({ pid: process.pid, born: 'another', port: 1 }))
    const port = await findFreeRange(clone.port + 10)
    const since = Date.now()
    const started = clone.launch(['start', '--demo'], { PORT: String(port) })
    await started.printed(READY)
    const took = Date.now() - since
    const streamed = await clone.shell(curlOf(started))
    const worker = await clone.pidOf('worker')

    process.kill(worker, 'SIGKILL')
    await started.printed(/worker ended \(signal SIGKILL\), starting it again in 1 s/)
    await vi.waitFor(async () => expect(await clone.pidOf('worker')).not.toBe(worker), { timeout: 10_000 })
    await end(started.child)

    expect(took).toBeLessThan(30_000)
    expect(streamed).toContain('data: [DONE]')
    expect(started.child.exitCode).toBe(0)
    expect(await clone.livePids()).toEqual([])
  })

  it('adopts the Postgres and Redis of a launcher that was killed, and stops in order on a Ctrl-C while requests are streaming', async () => {
    const killed = clone.launch(['start'])
    await killed.printed(READY)
    const before = { postgres: await clone.pidOf('postgres'), redis: await clone.pidOf('redis'), relay: await clone.pidOf('relay') }
    process.kill(await clone.pidOf('launcher'), 'SIGKILL')
    killed.child.kill('SIGKILL')

    const terminal = clone.launchInTerminal(['start', '--demo'])
    await terminal.printed(READY)
    const after = { postgres: await clone.pidOf('postgres'), redis: await clone.pidOf('redis'), relay: await clone.pidOf('relay') }
    await rm(join(clone.dir, 'streams'), { force: true })
    const streams = Array.from({ length: 5 }, () => clone.shell(curlOf(terminal)))
    await untilStreaming(5)
    terminal.child.stdin?.write('\u0003')
    await once(terminal.child, 'exit')

    expect(terminal.output()).toContain('an earlier launcher was killed: stopped its relay, worker, control-plane')
    expect(after).toMatchObject({ postgres: before.postgres, redis: before.redis })
    expect(after.relay).not.toBe(before.relay)
    expect(stoppedIn(terminal.output())).toEqual(STOP_ORDER)
    for (const answer of await Promise.all(streams)) expect(answer.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(await clone.livePids()).toEqual([])
  })

  it('keeps running when its output has no reader, and then stops in order', async () => {
    const started = clone.launch(['start'])
    started.child.stdout?.destroy()
    started.child.stderr?.destroy()
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${clone.port}/readyz`)).status).toBe(200), { timeout: 90_000 })
    await end(started.child)

    expect(started.child.exitCode).toBe(0)
    expect(await clone.livePids()).toEqual([])
  })

  it('says what it can do, when it is asked by --help', async () => {
    const ended = await clone.runToEnd(['start', '--help'])

    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^use: npm start .*\nPORT=3100 npm start /)
  })
})

describe('npm start reports in one line with exit code 1', () => {
  it.each([0, 1])('that a port is taken (%i after the first)', async (offset) => {
    const other = createServer().listen(clone.port + offset)
    await once(other, 'listening')

    const ended = await clone.runToEnd(['start'])
    other.close()

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toBe(
      `tollgate: port ${clone.port + offset} is taken by another program; stop it or choose other ports: PORT=${clone.port + 1000} npm start\n`,
    )
  })

  it('that Redis is missing', async () => {
    const ended = await clone.runToEnd(['start'], { PATH: clone.dir })

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
    const ended = await clone.runToEnd(['start'], { DATABASE_URL: url })

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(ended.stderr).not.toContain('a-password')
  })

  it.each(['REDIS_URL', 'LEDGER_REDIS_URL'])('that %s is wrong', async (name) => {
    const ended = await clone.runToEnd(['start'], { [name]: 'redis://:a-password@127.0.0.1:1' })

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(new RegExp(`^tollgate: ${name}: Redis at 127\\.0\\.0\\.1:1 refused the connection: [^\\n]+\\n$`))
    expect(ended.stderr).not.toContain('a-password')
  })

  it('that an option is unknown', async () => {
    const ended = await clone.runToEnd(['start', '--dmeo'])

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^tollgate: unknown option --dmeo; [^\n]+\n$/)
  })
})

function stoppedIn(output: string): string[] {
  return [...output.matchAll(/stopping (.+?) …/g)].map(([, name = '']) => name).filter((name) => name !== 'model server')
}

async function untilStreaming(count: number): Promise<void> {
  await vi.waitFor(
    async () => expect(await readFile(join(clone.dir, 'streams'), 'utf8')).toMatch(new RegExp(`(?:"role":"assistant"[^]*){${count}}`)),
    { timeout: 20_000 },
  )
}
