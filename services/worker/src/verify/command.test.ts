import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { seedLedger } from '@tollgate/testing/ledger-rows'
import { createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'

const ROWS = 12_000
const script = fileURLToPath(new URL('../verify-ledger.ts', import.meta.url))

type Run = { readonly code: number; readonly stdout: string; readonly stderr: string }

describe('npm run verify:ledger', () => {
  let testbed: Testbed
  beforeAll(async () => {
    testbed = await createTestbed()
    await seedLedger(testbed.database.url, {
      rows: ROWS,
      users: 40,
      shards: SHARDS,
      hours: 20 * 24,
      until: Math.floor(Date.now() / 1000) - 60,
    })
  })
  afterAll(() => testbed.close())

  const run = (args: readonly string[] = [], env: Record<string, string> = {}): Promise<Run> =>
    new Promise((resolve) => {
      const stores = {
        DATABASE_URL: testbed.database.url,
        REDIS_URL: testbed.server.url,
        SHARDS: String(SHARDS),
        NODE_ENV: 'test',
        ...PROCESS_ENV,
      }
      execFile(process.execPath, [script, ...args], { env: { ...stores, ...env } }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
      })
    })
  const lineOf = ({ stdout }: Run, check: string): string => stdout.split('\n').find((line) => line.startsWith(check)) ?? ''

  it('prices every charge of a sound ledger again, exits with 0 and stores the report', async () => {
    const ended = await run()

    expect(ended).toMatchObject({ code: 0, stderr: '' })
    // One in a thousand is a correction, which is checked separately.
    expect(lineOf(ended, 'charges: equal when priced again')).toMatch(/ 11988 {2}ok$/)
    expect(lineOf(ended, 'corrections: with the first')).toMatch(/ 12 {2}ok$/)
    expect(lineOf(ended, 'requests: charge = claimed charge')).toMatch(/ 12000 {2}ok$/)
    expect(await findLastLedgerReport(testbed.db)).toMatchObject({ source: 'command', is_sound: true, differences: 0, sample_one_in: 1 })
  })

  it('prices about as many charges as --sample says', async () => {
    const ended = await run(['--sample', '1000'])

    const looked = Number(/(\d+) {2}ok$/.exec(lineOf(ended, 'charges: equal when priced again'))?.[1])
    expect(looked).toBeGreaterThan(900)
    expect(looked).toBeLessThan(1200)
    expect(ended.code).toBe(0)
  })

  it('prints the first ten of many differences with their ids, counts the rest, and exits with 1', async () => {
    await testbed.db
      .updateTable('logs')
      .set((eb) => ({ quota: eb('quota', '+', 1) }))
      .where('id', '<=', 25)
      .where('state', '<>', 'late')
      .execute()
    const ended = await run()
    await testbed.db
      .updateTable('logs')
      .set((eb) => ({ quota: eb('quota', '-', 1) }))
      .where('id', '<=', 25)
      .where('state', '<>', 'late')
      .execute()

    expect(ended.code).toBe(1)
    expect(lineOf(ended, 'charges: equal when priced again')).toMatch(/ 25 DIFFERENT$/)
    const details = ended.stdout.slice(ended.stdout.indexOf('charges: equal when priced again:'))
    expect(details.match(/log \d+, request \d{8}[0-9a-z]{10}: \d+ instead of \d+/g)).toHaveLength(10)
    expect(details).toContain('… and 15 more')
    expect(await findLastLedgerReport(testbed.db)).toMatchObject({ is_sound: false })
  })

  it('checks Postgres and exits with 2 while the fence is closed', async () => {
    await testbed.redis.script('FLUSH')
    const ended = await run()
    await testbed.recover()

    expect(ended.code).toBe(2)
    expect(ended.stdout).toContain('Redis was not compared: the ledger fence is closed')
    expect(lineOf(ended, 'users: spent')).toMatch(/ok$/)
    expect((await run()).code).toBe(0)
  })

  it.each<[string, string[], Record<string, string>, string]>([
    ['Postgres does not answer', [], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'The database is unavailable'],
    ['the sample is no number', ['--sample', 'some'], {}, '--sample takes a number of charges, or all'],
    ['an option is unknown', ['--all'], {}, "Unknown option '--all'"],
  ])('exits with 2 and prints the reason when %s', async (_why, args, env, said) => {
    const ended = await run(args, env)

    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(said)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
