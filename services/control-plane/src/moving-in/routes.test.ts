import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResultOf } from '@tollgate/contracts/endpoint'
import { ImportReport } from '@tollgate/contracts/moving-in/report'
import type { imports, ImportRun } from '@tollgate/contracts/resources/imports'
import { connectDb } from '@tollgate/db/connect'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { keys } from '@tollgate/redis/keys'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { gatewayTables, OLD_PASSWORD, writeGatewayFile } from '@tollgate/testing/gateway-database'
import { fillPostgres } from '@tollgate/testing/gateway-stores'
import { startTcpProxy, type TcpProxy } from '@tollgate/testing/tcp-proxy'
import { Queue } from 'bullmq'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestApp, raw, type Answer, type Caller, type TestApp } from '../../test/test-app.ts'
import type { Deps } from '../deps.ts'
import { receiveFile } from './console-files.ts'
import { keepSource, latestRun, startRun } from './runner.ts'

type State = ResultOf<typeof imports.get>
const OCTETS = { 'Content-Type': 'application/octet-stream' }
const WAIT = { timeout: 60_000, interval: 100 }
const SECRET = 'a-secret-of-the-old-gateway'

describe('imports from the console', { timeout: 120_000 }, () => {
  let dir: string
  let file: Buffer
  let source: TestDatabase
  let proxy: TcpProxy
  let test: TestApp
  let root: Caller
  const logged: unknown[] = []
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-in-'))
    writeGatewayFile(join(dir, 'old.db'), gatewayTables('new-api-2026'))
    file = await readFile(join(dir, 'old.db'))
    source = await createTestDatabase()
    await fillPostgres(source.url, gatewayTables('new-api-2026'))
    proxy = await startTcpProxy(Number(new URL(source.url).port))
  })
  afterAll(async () => {
    await proxy.close()
    await source.drop()
    await rm(dir, { recursive: true })
  })
  beforeEach(async () => {
    test = await createTestApp()
    root = await test.setUp()
    logged.length = 0
    Object.assign(test.deps.log, { error: (...parts: unknown[]) => logged.push(parts) })
  })
  afterEach(() => test.stop())

  /** The address of the source at another port than that of the gateway's own database, which is on the same server. */
  const addressOf = (name = new URL(source.url).pathname, user = new URL(source.url).username): string =>
    `postgres://${user}:${SECRET}@127.0.0.1:${proxy.port}${name}`
  const state = async (): Promise<State> => (await root('GET', '/api/import/')).body.data as State // the declared shape
  const runOf = ({ body }: Answer): ImportRun => {
    if (!body.success) throw new Error(body.message)
    return body.data as ImportRun // the declared shape
  }
  const ended = async (): Promise<State & { run: ImportRun }> =>
    await vi.waitFor(async () => {
      const { run, ...rest } = await state()
      if (run === null || run.state === 'running') throw new Error('still running')
      return { run, ...rest }
    }, WAIT)
  const upload = async (bytes: Buffer, name = 'old.db'): Promise<Answer['body']> => {
    const answer = await root('POST', `/api/import/file?name=${name}`, raw(bytes.toString('latin1')), OCTETS)
    return answer.body
  }
  const users = async (): Promise<number> =>
    Number((await sql<{ n: number }>`select count(*) as n from users`.execute(test.deps.db)).rows[0]?.n)

  it('of an uploaded file: a dry run writes nothing, the run carries it and removes the file', async () => {
    const { path, bytes } = await receiveFile(new Blob([file]).stream(), 'old.db')
    expect(bytes).toBe(file.length)
    const kept = await keepSource(test.deps, { kind: 'file', at: path, shown: 'old.db' })
    const dry = runOf(await root('POST', '/api/import/', { source: kept, log_days: 36_500 }))
    expect(dry).toMatchObject({ state: 'running', is_dry_run: true, source: 'old.db', has_source: true, started_by: 'root' })
    const seen = await ended()

    expect(seen.run).toMatchObject({ state: 'finished', failure: '' })
    expect(seen.run.progress.find(({ kind }) => kind === 'users')).toMatchObject({ read: 6, total: 6 })
    expect(seen.report).toMatchObject({ is_dry_run: true, counts: { users: { created: 6 }, tokens: { created: 8 } } })
    expect([await users(), seen.carried]).toEqual([1, []])

    runOf(await root('POST', `/api/import/${dry.id}/run`, {}))
    const done = await ended()
    expect(done.run).toMatchObject({ state: 'finished', is_dry_run: false, has_source: false })
    expect(done.report?.sums.map((sum) => sum.source - sum.target)).toEqual([0, 0, 0])
    expect(done.carried).toMatchObject([{ name: 'new-api', family: 'new-api' }])
    await expect(readFile(path)).rejects.toThrow('ENOENT')
    // The worker gives the carried months their partitions.
    const queue = new Queue('upkeep', { connection: queueConnection(test.deps.env.REDIS_URL), prefix: QUEUE_PREFIX })
    await vi.waitFor(async () => expect((await queue.getWaiting()).map(({ name }) => name)).toEqual(['partition-upkeep']), WAIT)
    await queue.close()
    const alice = await test.signIn('alice', OLD_PASSWORD)
    expect((await alice('GET', '/api/import/')).body.success).toBe(false)
  })

  it('of an address: its report as files, a second run finds what is the same, and no text holds its password', async () => {
    const dry = runOf(await root('POST', '/api/import/', { address: addressOf(), name: 'old' }))
    await ended()
    const json = await test.app.request(`/api/import/${dry.id}/report`, { headers: await cookies() })
    expect(ImportReport.parse(await json.json())).toMatchObject({ name: 'old', is_dry_run: true })
    const page = await test.app.request(`/api/import/${dry.id}/report?format=html&language=zh`, { headers: await cookies() })
    expect([page.headers.get('content-disposition'), await page.text()]).toEqual([
      'attachment; filename="import-report.html"',
      expect.stringContaining('导入报告'),
    ])
    expect((await root('POST', `/api/import/${dry.id}/run`, { keep: ['ModelRatio'] })).body.message).toContain('ModelRatio')
    const kept = runOf(await root('POST', `/api/import/${dry.id}/run`, { is_dry_run: true, keep: ['SystemName'] }))
    expect((await ended()).report?.changed.find(({ code }) => code === 'setting-kept')?.items).toMatchObject([{ at: 'options SystemName' }])
    const first = runOf(await root('POST', `/api/import/${kept.id}/run`, { keep: [] }))
    await ended()
    runOf(await root('POST', `/api/import/${first.id}/run`, {}))
    const again = await ended()
    expect(again.report?.counts.users).toMatchObject({ created: 0, same: 6 })

    const dump = await sql<{ text: string }>`select coalesce(string_agg(e::text, ' '), '') as text from audit_entries e`.execute(
      test.deps.db,
    )
    const names = await test.deps.redis.keys('*import*')
    const stored = await Promise.all(names.map((name) => test.deps.redis.getBuffer(name)))
    const texts = [dump.rows[0]?.text, JSON.stringify(again), JSON.stringify(logged), ...stored.map((bytes) => bytes?.toString('latin1'))]
    expect(dump.rows[0]?.text).toContain(`127.0.0.1:${proxy.port}`)
    expect(texts.filter((text) => text?.includes(SECRET))).toEqual([])
  })

  it('fail with a plain reason, and refuse an address that is none before anything is opened', async () => {
    const failures = [
      [addressOf(undefined, 'nobody'), /refused this user name/],
      [addressOf('/nothing_here'), /no database of this name/],
      [`mysql://reader:${SECRET}@127.0.0.1:9/old`, /cannot be reached/],
      // The tables of this gateway have names of the old ones.
      [addressOf(new URL(test.database.url).pathname), /no tables of/],
      [source.url, /belongs to this gateway/],
      [`postgres://x:${SECRET}@169.254.169.254/old`, /belongs to this gateway/],
    ] as const
    for (const [address, reason] of failures) {
      const started = runOf(await root('POST', '/api/import/', { address }))
      await ended()
      const { run } = (await root('GET', '/api/import/', undefined, { 'Accept-Language': 'en' })).body.data as State // the declared shape
      expect([run?.id, run?.state, run?.failure]).toEqual([started.id, 'failed', expect.stringMatching(reason)])
      expect(JSON.stringify([run, logged])).not.toContain(SECRET)
    }
    for (const address of [
      '/srv/old.db',
      'file:///etc/passwd',
      'sqlite:old.db',
      'postgres:///old?host=/run',
      'redis://x/1',
      'mysql://u:%zz@h/d',
    ]) {
      const { body } = await root('POST', '/api/import/', { address }, { 'Accept-Language': 'en' })
      expect(body).toMatchObject({ success: false, message: expect.stringContaining('postgres://') })
    }
    expect(await users()).toBe(1)
  })

  it('are refused while one is under way, stop when told to, and then go on where they were', async () => {
    const lock = await lockTable('top_ups')
    const first = await start(test.deps)
    await vi.waitFor(async () => expect((await state()).run?.progress.some(({ kind }) => kind === 'codes')).toBe(true), WAIT)
    expect((await root('POST', `/api/import/${first.id}/run`, {})).body.success).toBe(false)
    expect((await root('DELETE', `/api/import/${first.id}`)).body.success).toBe(false)
    expect((await root('POST', `/api/import/${first.id}/cancel`)).body.success).toBe(true)
    // The source does not answer, so that the thread is ended.
    const stopped = await ended()
    expect(stopped.run).toMatchObject({ id: first.id, state: 'cancelled', has_source: true })
    await lock.release()

    const done = await goOn(first.id)
    expect(done.report).toMatchObject({ counts: { users: { created: 0, same: 6 }, tokens: { created: 0 }, subscriptions: { created: 1 } } })
    expect((await root('DELETE', `/api/import/${done.run.id}`)).body.success).toBe(true)
    expect((await state()).run).toBe(null)
  })

  it('that a stopped process leaves are shown as interrupted, and go on in another one', async () => {
    const lock = await lockTable('top_ups')
    const stopping = new AbortController()
    const run = await start({ ...test.deps, stopping: stopping.signal })
    await vi.waitFor(async () => expect((await state()).run?.progress.some(({ kind }) => kind === 'codes')).toBe(true), WAIT)
    stopping.abort()
    const { run: seen } = await ended()
    expect(seen).toMatchObject({ id: run.id, state: 'interrupted', has_source: true })
    // A process that was killed writes nothing: its lock ends.
    await test.deps.redis.set(keys.importRun(run.id), JSON.stringify({ ...(await stored(run.id)), state: 'running' }))
    expect(await latestRun(test.deps, 'en')).toMatchObject({ state: 'interrupted' })
    await lock.release()

    expect((await goOn(run.id)).report?.sums.map((sum) => sum.source - sum.target)).toEqual([0, 0, 0])
  })

  it('ask what happens to names that clash where the installation is in use', async () => {
    await root('POST', '/api/user/', { username: 'alice', password: 'a-long-password' })
    expect((await state()).is_in_use).toBe(true)
    runOf(await root('POST', '/api/import/', { address: addressOf() }))
    expect((await ended()).run.failure).toMatch(/已有用户或渠道/)
    runOf(await root('POST', '/api/import/', { address: addressOf(), merge: 'rename' }))
    const { report } = await ended()
    expect(report?.decisions.find(({ code }) => code === 'renamed')).toMatchObject({ count: 1 })
  })

  it('take bounded files of the two known kinds, as their own type only', async () => {
    const before = (await leftovers()).length
    await expect(receiveFile(new Blob([file]).stream(), 'old.db', 1000)).rejects.toMatchObject({ code: 'import.file-large' })
    expect((await upload(Buffer.from('no database'))).success).toBe(false)
    expect((await root('POST', '/api/import/file?name=x.db', { a: 1 })).body.success).toBe(false)
    expect((await leftovers()).length).toBe(before)
    const { data } = await upload(
      Buffer.from('model_list: [{model_name: m, litellm_params: {model: openai/gpt-4o, api_key: os.environ/KEY_CHANNELS}}]\n'),
      'c.yaml',
    )
    const { source: id } = data as { source: string } // the declared shape
    runOf(await root('POST', '/api/import/', { source: id }))
    const dry = await ended()
    runOf(await root('POST', `/api/import/${dry.run.id}/run`, {}))
    await ended()
    // A configuration cannot read the environment of this service.
    const channels = await test.deps.db.selectFrom('channels').select(['models', 'key_sealed']).execute()
    expect(
      channels.map(({ models, key_sealed }) => [models, key_sealed === '' || test.deps.sealers.channels.isCurrent(key_sealed)]),
    ).toEqual([['m', true]])
    expect(JSON.stringify((await state()).report?.decisions)).toContain('no-key')
  })

  it('need root and a fresh proof', async () => {
    await root('POST', '/api/user/', { username: 'admin2', password: 'a-long-password', role: 10 })
    const admin = await test.signIn('admin2', 'a-long-password')
    for (const [method, path] of [
      ['GET', '/api/import/'],
      ['POST', '/api/import/'],
      ['POST', '/api/import/file?name=x.db'],
    ] as const)
      expect((await admin(method, path, method === 'GET' ? undefined : {})).body.success).toBe(false)
    for (const name of await test.deps.redis.keys('sess:*')) await test.deps.redis.hset(name, 'proved_at', '1000')
    for (const [path, body] of [
      ['/api/import/', { address: addressOf() }],
      ['/api/import/00000000-0000-4000-8000-000000000000/run', {}],
      ['/api/import/file?name=x.db', {}],
    ] as const)
      expect((await root('POST', path, body)).body).toMatchObject({ success: false, field: 'proof' })
  })

  /** A run without a dry run before it. */
  async function start(deps: Deps): Promise<ImportRun> {
    const source_id = await keepSource(deps, { kind: 'address', at: addressOf(), shown: 'old' })
    const wishes = { name: '', only: [], log_days: 0, merge: 'none', unlimited_as: 0 } as const
    const by = { actor: { id: 1, username: 'root', role: 100 }, ip: '' }
    return await startRun(deps, by, { source_id, wishes: { ...wishes, only: [], keep: [] }, isDryRun: false }, 'en')
  }
  /** Runs again, once Postgres has noticed that the connection with the lock of the ended run is gone. */
  async function goOn(id: string): Promise<State & { run: ImportRun }> {
    return await vi.waitFor(async () => {
      runOf(await root('POST', `/api/import/${id}/run`, {}))
      const done = await ended()
      expect(done.run.state).toBe('finished')
      return done
    }, WAIT)
  }
  async function cookies(): Promise<Record<string, string>> {
    const answer = await test.app.request('/api/user/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'root', password: 'a-long-password' }),
    })
    return {
      cookie: answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
      'New-Api-User': '1',
    }
  }
  async function stored(id: string): Promise<object> {
    return JSON.parse((await test.deps.redis.get(keys.importRun(id))) ?? '{}')
  }
  async function leftovers(): Promise<string[]> {
    return (await readdir(tmpdir())).filter((name) => name.startsWith('tollgate-import-'))
  }
  /** Keeps reads of a table of the source waiting. */
  async function lockTable(table: string): Promise<{ release(): Promise<void> }> {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let locked: () => void = () => undefined
    const isLocked = new Promise<void>((resolve) => (locked = resolve))
    const locker = connectDb({ url: source.url, max: 1, limits: STATEMENT_LIMITS.long })
    const end = locker.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
      locked()
      await released
    })
    await isLocked
    return {
      release: async () => {
        release()
        await end
        await locker.destroy()
      },
    }
  }
})
