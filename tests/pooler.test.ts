import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDb } from '@tollgate/db/connect'
import { migrate, migrationNames } from '@tollgate/db/migrate'
import { createTestDatabase } from '@tollgate/testing/database'
import { startTestRedis } from '@tollgate/testing/redis'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, createToken, must, setUp, type Api } from './support/api.ts'
import { startPgbouncer, type Pgbouncer, type PoolMode } from './support/pgbouncer.ts'
import { startStack, type Stack } from './support/stack.ts'

const MODES: readonly PoolMode[] = ['transaction', 'session']
const CALLS = 60

describe.each(MODES)('all services through PgBouncer in %s mode', (mode) => {
  let pooler: Pgbouncer
  let vendor: VendorServer
  let stack: Stack
  let api: Api
  let dir: string

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tollgate-pooler-'))
    const [database, redis] = await Promise.all([createTestDatabase(), startTestRedis({ isDurable: true })])
    pooler = await startPgbouncer(database.url, mode)
    vendor = await startVendorServer()
    // Without a switch: connections through a pooler are found.
    const env = { DATABASE_URL: pooler.url, LOG_LEVEL: 'info' }
    stack = await startStack({ stores: { database, redis }, env, workerEnv: { POST_USAGE_INTERVAL: '100' } })
    api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/paced~2~5`, models: 'gpt-4o-mini' })
  })
  afterAll(async () => {
    await stack.stop()
    await pooler.stop()
    await vendor.stop()
    await rm(dir, { recursive: true, force: true })
  })

  const chat = async (key: string): Promise<number> => {
    const answer = await fetch(`${stack.relays[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  const command = (script: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, '../services/worker/src', script), ...args], { env: { ...stack.env } })

  it('signs in, serves and posts every request, and no statement fails', async () => {
    const { key } = await createToken(api, { unlimited_quota: true })
    await expect.poll(() => chat(key)).toBe(200)

    // In rounds, so that the worker posts many transactions, each of which may get another server.
    for (let sent = 1; sent < CALLS; sent += 4) expect(await Promise.all([1, 2, 3, 4].map(() => chat(key)))).toEqual([200, 200, 200, 200])

    const countRows = async () => must(await api.get<{ total: number }>('/api/log/?p=1&page_size=10&type=2')).total
    await expect.poll(countRows).toBeGreaterThanOrEqual(CALLS + 1)
    const outputs = [stack.controlPlane, stack.worker].map((service) => service.output())
    for (const output of outputs) expect(output).not.toMatch(/prepared statement|26000|42P05|"level":"error"/)
  })

  it('migrates an empty database once when two processes begin together, and leaves no lock behind', async () => {
    const name = `empty_${mode}_${stack.database.url.split('_').at(-1)}`
    await sql.raw(`create database ${name}`).execute(stack.database.db)
    const urls = [pooler.url, stack.database.url].map((url) => url.replace(/[^/]+$/, name))
    const [first, second, direct] = [urls[0], urls[0], urls[1]].map((url) => connectDb({ url: url ?? '', max: 1 }))
    if (first === undefined || second === undefined || direct === undefined) throw new Error('there are three')

    const ran = await Promise.all([first, second].map((db) => migrate(db)))

    // Each takes the next one in its turn.
    expect(ran.flat().toSorted()).toEqual(migrationNames.toSorted())
    const { rows } = await sql`
      select l.* from pg_locks l join pg_database d on d.oid = l.database where l.locktype = 'advisory' and d.datname = ${name}
    `.execute(direct)
    expect(rows).toEqual([])
    for (const db of [first, second, direct]) await db.destroy()
  })

  it('verifies and backs up', async () => {
    const verified = await command('verify-ledger.ts')
    const backup = await command('backup.ts', join(dir, 'backup'))

    expect(verified.stdout.split('\n').filter((line) => /\d+ {2}/.test(line) && !line.endsWith('ok'))).toEqual([])
    expect(backup.stdout).toMatch(/charges not included: 0/)
    expect(await readdir(join(dir, 'backup'))).not.toEqual([])
  })
})
