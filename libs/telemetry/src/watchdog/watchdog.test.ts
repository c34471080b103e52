import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const WATCHDOG = fileURLToPath(new URL('watchdog.ts', import.meta.url))

/** Runs a program whose event loop is watched with a limit of one second. */
async function run(program: string): Promise<{ readonly signal: unknown; readonly lines: readonly Record<string, unknown>[] }> {
  const source = `import { watchEventLoop } from ${JSON.stringify(WATCHDOG)}\nwatchEventLoop('test', 1)\n${program}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [, signal] = (await once(child, 'exit')) as [unknown, unknown]
  const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean)
  return { signal, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe('the watchdog', { timeout: 30_000 }, () => {
  it.each([
    [
      'a loop of ours',
      'function expand(n) { for (;;) n += 1 }; setTimeout(function answer() { expand(0) }, 500)',
      /at expand .*\nat answer/,
    ],
    ['a pattern that backtracks', "setTimeout(function match() { /^(a+)+$/.test('a'.repeat(60) + 'b') }, 500)", /at match|native/],
  ])('ends a process that stands still in %s, and says where', async (_where, program, stack) => {
    const { signal, lines } = await run(program)

    expect(signal).toBe('SIGKILL')
    expect(lines).toMatchObject([{ level: 'fatal', service: 'test', detail: expect.stringMatching(stack) }])
  })

  it('leaves a busy process alone that turns now and then, and keeps none alive', async () => {
    const program =
      'const until = Date.now() + 3000; const work = () => { const end = Date.now() + 400; while (Date.now() < end); if (Date.now() < until) setTimeout(work, 1) }; work()'

    expect(await run(program)).toEqual({ signal: null, lines: [] })
  })
})
