import { spawn } from 'node:child_process'
import { stopProcess, untilEnded } from '@tollgate/servers/local-process'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClone, curlOf, end, type Clone } from '../../test/clone.ts'
import { keepStore, type KeepOptions } from './keep-store.ts'
import { createLifecycle } from '../processes/lifecycle.ts'
import { createTerminal } from '../machine/terminal.ts'

const READY = /Tollgate is ready/
const SERVED_WITHIN_MS = 10_000

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

describe('npm start brings its own stores back', () => {
  it.each([{ killed: ['redis'] }, { killed: ['postgres'] }, { killed: ['redis', 'postgres'] }])(
    'serves again within ten seconds after kill -9 of $killed, with an exact ledger and fewer than ten lines',
    async ({ killed }) => {
      const started = clone.launch(['start', '--demo'])
      await started.printed(READY)
      expect(await clone.shell(curlOf(started))).toContain('data: [DONE]')
      const before = started.output().length
      const pids = await Promise.all(killed.map(clone.pidOf))

      for (const pid of pids) process.kill(pid, 'SIGKILL')
      const since = Date.now()
      await vi.waitFor(async () => expect(await answerAndPage(curlOf(started))).toEqual(['data: [DONE]', 200]), {
        timeout: 30_000,
        interval: 100,
      })
      const took = Date.now() - since
      const verified = await verifiedLedger()
      await end(started.child)

      expect(took).toBeLessThan(SERVED_WITHIN_MS)
      expect(verified).toMatchObject({ code: 0 })
      const printed = linesOf(started.output().slice(before)).filter((line) => !line.startsWith('stopping ') && line !== 'stopped')
      expect(printed.length, printed.join('\n')).toBeLessThan(10)
      for (const name of killed)
        expect(printed.join('\n')).toMatch(new RegExp(`${name} ended \\(signal SIGKILL\\)[^\n]*\n[^]*${name} runs again`, 'i'))
      expect(started.child.exitCode).toBe(0)
      expect(await clone.livePids()).toEqual([])
    },
  )

  it('brings a Redis back that it adopted from a launcher that was killed', async () => {
    const first = clone.launch(['start', '--demo'])
    await first.printed(READY)
    process.kill(await clone.pidOf('launcher'), 'SIGKILL')
    first.child.kill('SIGKILL')
    const second = clone.launch(['start', '--demo'])
    await second.printed(READY)

    process.kill(await clone.pidOf('redis'), 'SIGKILL')
    const since = Date.now()
    await vi.waitFor(async () => expect(await answerAndPage(curlOf(second))).toEqual(['data: [DONE]', 200]), {
      timeout: 30_000,
      interval: 100,
    })

    expect(Date.now() - since).toBeLessThan(SERVED_WITHIN_MS)
  })
})

describe('a store that does not come back', () => {
  it('is given up after a bounded number of tries, with one line that says why', async () => {
    const said: string[] = []
    const problem = await new Promise<string>((resolve) => {
      keepStore({
        name: 'Redis',
        logFile: '/log/redis.log',
        first: program('exit 3'),
        start: () => Promise.reject(new Error('the disk is full')),
        onAway: (_, line) => said.push(line),
        onBack: (_, line) => said.push(line),
        onGivenUp: resolve,
        backOffMs: [0, 5, 5],
      })
    })

    expect(problem).toBe('Redis could not be started again in 3 tries: the disk is full; see /log/redis.log')
    expect(said).toEqual(['Redis ended (exit code 3), starting it again; see /log/redis.log'])
  })

  it('is given up when it starts and ends again each time', async () => {
    let starts = 0
    const problem = await new Promise<string>((resolve) => {
      keepStore({
        name: 'Postgres',
        logFile: '/log/postgres.log',
        first: program('exit 1'),
        start: () => {
          starts += 1
          return Promise.resolve(program('exit 2'))
        },
        onAway: () => undefined,
        onBack: () => undefined,
        onGivenUp: resolve,
        backOffMs: [0, 5, 5],
      })
    })

    expect(problem).toBe('Postgres could not be started again in 3 tries: exit code 2; see /log/postgres.log')
    expect(starts).toBe(3)
  })

  it('ends the launcher with code 1 and that line', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const stopped: string[] = []
    const lifecycle = createLifecycle()
    lifecycle.add({ name: 'Postgres', stop: () => Promise.resolve(void stopped.push('Postgres')) })

    const code = lifecycle.run(() => Promise.resolve())
    lifecycle.giveUp('Redis could not be started again in 10 tries: the disk is full')

    expect(await code).toBe(1)
    expect(stopped).toEqual(['Postgres'])
    expect(written.mock.calls).toEqual([['tollgate: Redis could not be started again in 10 tries: the disk is full']])
    written.mockRestore()
  })
})

describe('warnings of services on the terminal', () => {
  it('are printed once a minute each, and not while a store is away', () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let now = 0
    const terminal = createTerminal(() => now)
    const warn = (msg: string): void => terminal.showProblem('worker', JSON.stringify({ level: 'warn', msg }))

    for (let call = 0; call < 200; call += 1) warn('Redis command failed')
    terminal.storeAway('Redis', 'Redis ended')
    warn('Postgres query failed')
    terminal.storeBack('Redis', 'Redis runs again')
    warn('Postgres query failed')
    now += 61_000
    warn('Redis command failed')

    expect(written.mock.calls.flat()).toEqual([
      'tollgate: worker warn: Redis command failed',
      'tollgate: Redis ended',
      'tollgate: Redis runs again',
      'tollgate: worker warn: Redis command failed',
    ])
    written.mockRestore()
  })
})

/** The end of a streamed answer, and the status of a page of the console that reads both stores. */
async function answerAndPage(curl: string): Promise<[string, number]> {
  const answer = await clone.shell(curl)
  const page = await fetch(`http://127.0.0.1:${clone.port}/api/status`, { signal: AbortSignal.timeout(2000) })
  return [answer.trimEnd().split('\n').at(-1) ?? '', page.status]
}

/** The verifier's verdict once the rows of the last calls are written: rows that are still on their way are no finding. */
async function verifiedLedger(): Promise<{ code: number }> {
  return await clone.runToEnd(['verify-ledger'])
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line.trim() !== '')
}

function program(script: string): KeepOptions['first'] {
  const child = spawn('sh', ['-c', script], { stdio: 'ignore' })
  return { untilEnded: () => untilEnded(child), stop: () => stopProcess(child, 'SIGTERM') }
}
