import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'

const root = join(import.meta.dirname, '../..')

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

const run = (program: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, program), ...args],
      { env: { ...process.env, ...PROCESS_ENV } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

describe.each([
  ['chaos', 'tests/chaos/main.ts'],
  ['fuzz', 'tests/fuzz/main.ts'],
  ['test:mutants', 'tests/mutants/main.ts'],
  ['screenshots', 'tests/screenshots/main.ts'],
  ['soak', 'load-tests/soak/main.ts'],
  ['bench', 'load-tests/bench/main.ts'],
  ['vendor', 'load-tests/vendor/main.ts'],
  ['k6', 'load-tests/k6/report/main.ts'],
  ['bench:lists', 'load-tests/lists/main.ts'],
  ['test:clients', 'tests/clients/main.ts'],
  ['test:upgrade', 'tests/upgrade/main.ts'],
  ['clients:agents', 'tests/clients/agents/main.ts'],
  ['check:setups', 'tests/clients/setups/main.ts'],
])('npm run %s', (name, program) => {
  it('prints its usage for --help', async () => {
    const { code, stdout, stderr } = await run(program, ['--help'])

    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(String.raw`^Usage: npm run ${name} --.*\n\n.+\n\n(?:  --.+\n)+\nExample: npm run ${name}.*\n$`))
  })

  it('refuses an unknown option in one line, before its usage', async () => {
    const { code, stdout, stderr } = await run(program, ['--nope'])

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Unknown option '--nope'\n\nUsage: /)
  })
})

it.each([
  ['tests/chaos/main.ts', ['--seconds', 'ten'], "--seconds takes a number, not 'ten'"],
  ['tests/chaos/main.ts', ['--gap', 'short'], "--gap takes milliseconds from-to, not 'short'"],
  ['tests/chaos/main.ts', ['--kinds', 'flood'], 'no fault flood; there are relay-kill, '],
  ['tests/chaos/main.ts', ['--fsync', 'never'], "--fsync takes everysec or always, not 'never'"],
  ['tests/fuzz/main.ts', ['--only', 'all'], 'no part all; there are models, realtime, outside, console'],
  ['tests/mutants/main.ts', ['nothing'], 'no patch nothing; there are '],
])('%s refuses %j', async (program, args, reason) => {
  const { code, stderr } = await run(program, args)

  expect(code).toBe(2)
  expect(stderr.startsWith(reason)).toBe(true)
  expect(stderr).not.toContain('    at ')
})
