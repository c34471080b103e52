import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportReport } from '@tollgate/contracts/moving-in/report'
import { gatewayTables, OLD_NOW, OLD_PASSWORD, oldKey, writeGatewayFile } from '@tollgate/testing/gateway-database'
import { startVendorServer, VENDOR_USAGE, type VendorServer } from '@tollgate/testing/vendor-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, signIn } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'

const SERVICES = join(import.meta.dirname, '../services')

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

describe('moving in from new-api while the services run', () => {
  let dir: string
  let vendor: VendorServer
  let stack: Stack

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-in-'))
    vendor = await startVendorServer()
    stack = await startStack()
    writeGatewayFile(join(dir, 'old.db'), gatewayTables('new-api-2026', `${vendor.url}/ok`))
  })
  afterAll(async () => {
    await stack.stop()
    await vendor.stop()
    await rm(dir, { recursive: true })
  })

  const run = (script: string, args: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      execFile(process.execPath, [join(SERVICES, script), ...args], { env: { ...stack.env } }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      )
    })
  const importOld = (...args: string[]): Promise<Ended> => run('control-plane/src/import.ts', ['--from', join(dir, 'old.db'), ...args])

  const request = async (key: string): Promise<Response> =>
    await fetch(`${stack.relays[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }),
    })

  it('says in a dry run what would be carried, and answers no old key', async () => {
    const { code, stdout } = await importOld('--dry-run')

    expect(stdout).toContain('dry run: nothing was written')
    // The check-ins of the source have no place here.
    expect(code).toBe(2)
    expect((await request(oldKey(1))).status).toBe(401)
  })

  it('refuses to keep a price of models by itself', async () => {
    const { code, stderr } = await importOld('--dry-run', '--keep', 'SystemName, ModelRatio')

    expect([code, stderr]).toEqual([1, expect.stringMatching(/^import: This setting cannot be kept by itself: ModelRatio /)])
  })

  it('shows a console of the old gateway the numbers that it showed there', async () => {
    expect((await importOld('--logs', '90000d')).code).toBe(2)
    const tables = gatewayTables('new-api-2026')
    const ofAlice = (name: string) =>
      tables[name]?.rows.filter(({ user_id, deleted_at }) => user_id === 2 && (deleted_at ?? null) === null) ?? []
    const alice = await signIn(stack.controlPlane.url, 'alice', OLD_PASSWORD)
    const sum = (rows: readonly Readonly<Record<string, unknown>>[], column: string): number =>
      rows.reduce((total, row) => total + Number(row[column]), 0)
    const numbersOf = (rows: readonly object[], columns: readonly string[]): string[] =>
      rows.map((row) => columns.map((column) => String(Object.entries(row).find(([name]) => name === column)?.[1])).join(' ')).toSorted()

    const { used_quota, request_count, group } = tables['users']?.rows.find(({ id }) => id === 2) ?? {}
    expect(must(await alice.get('/api/user/self'))).toMatchObject({ used_quota, request_count, group })
    const tokens = must(await alice.get<object[]>('/api/token/?p=0&size=100'))
    const shown = ['name', 'remain_quota', 'used_quota', 'expired_time', 'model_limits']
    expect(numbersOf(tokens, shown)).toEqual(numbersOf(ofAlice('tokens'), shown))
    const logs = ofAlice('logs').filter(({ type }) => type === 2)
    const { items } = must(await alice.get<{ items: object[] }>('/api/log/self?p=1&page_size=100&type=2'))
    const columns = ['created_at', 'model_name', 'token_name', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time']
    expect(numbersOf(items, columns)).toEqual(numbersOf(logs, columns))
    expect(must(await alice.get('/api/log/self/stat?type=2'))).toMatchObject({ quota: sum(logs, 'quota') })
    const hours = must(
      await alice.get<{ quota: number; count: number }[]>(
        `/api/data/self?start_timestamp=${OLD_NOW - 20 * 86_400}&end_timestamp=${OLD_NOW + 86_400}`,
      ),
    )
    // The log was carried, so the hours are its sums.
    expect([sum(hours, 'quota'), sum(hours, 'count')]).toEqual([sum(logs, 'quota'), logs.length])
  })

  it('lets an old key answer a request at the old price, from the running relay', async () => {
    const report = join(dir, 'report.json')
    const { code, stderr } = await importOld('--logs', '90000d', '--report', report)
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(ImportReport.parse(JSON.parse(await readFile(report, 'utf8'))).refused.map(({ code: why }) => why)).toEqual(['left-check-ins'])

    await expect.poll(async () => (await request(oldKey(1))).status, { timeout: 10_000 }).toBe(200)
    const alice = await signIn(stack.controlPlane.url, 'alice', OLD_PASSWORD)
    // (12 + 6 × 4) × 1.25 in the group vip, whose ratio is 0.8.
    const charge = Math.round((VENDOR_USAGE.prompt_tokens + VENDOR_USAGE.completion_tokens * 4) * 1.25 * 0.8)
    await expect
      .poll(async () => must(await alice.get<{ used_quota: number; quota: number }>('/api/user/self')), { timeout: 10_000 })
      .toMatchObject({ used_quota: 5589 + charge, quota: 1_733_978 + 3_800_000 - charge })
  })

  it('takes over what changed in a second run, while the account is in use here', async () => {
    const tables = gatewayTables('new-api-2026', `${vendor.url}/ok`)
    const rows =
      tables['users']?.rows.map((row) => (row['id'] === 2 ? { ...row, quota: 1_733_978 - 50, used_quota: 5589 + 50 } : row)) ?? []
    await rm(join(dir, 'old.db'))
    writeGatewayFile(join(dir, 'old.db'), { ...tables, users: { columns: tables['users']?.columns ?? {}, rows } })
    const { stdout } = await importOld('--since-last', '--switch')

    expect(stdout).toMatch(/users +6 +0 +1 +5/)
    expect((await request(oldKey(8))).status).toBe(200)
  })

  it('leaves a ledger without a difference, in Postgres and in Redis', async () => {
    await expect
      .poll(async () => (await run('worker/src/verify-ledger.ts', [])).stdout, { timeout: 20_000, interval: 500 })
      .not.toContain('DIFFERENT')
    expect((await run('worker/src/verify-ledger.ts', [])).code).toBe(0)
  })

  it.each([
    ['a file that is not there', ['--from', '/nowhere/old.db'], 'ENOENT'],
    ['a kind that does not exist', ['--from', 'x', '--only', 'cats'], '--only knows'],
    ['an earlier run that never was', ['--from', 'OLD', '--since-last', '--as', 'another'], 'no earlier import'],
  ])('fails with one line for %s', async (_why, args, said) => {
    const given = args.map((arg) => (arg === 'OLD' ? join(dir, 'old.db') : arg))
    const ended = await run('control-plane/src/import.ts', given)

    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain(said)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
