import { STORE_AWAY } from '@tollgate/config/exit-code'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { findFreePort } from '@tollgate/servers/free-port'
import { connectDb } from '@tollgate/db/connect'
import { createTestDatabase } from '@tollgate/testing/database'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { createApp } from './app.ts'
import { unsealOption } from '@tollgate/config/sealing'
import { createOptionReader } from '@tollgate/db/option-reader'
import { createTestApp, type TestApp } from '../test/test-app.ts'

const KEY = `k1:${randomBytes(32).toString('base64url')}`
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

/** Runs the control plane as a process; resolves when it has exited. */
async function runProcess(env: Record<string, string>): Promise<{ code: unknown; errors: string }> {
  const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...PROCESS_ENV, ...env } })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()))
  const [code] = await once(child, 'exit')
  return { code, errors }
}

type Plane = { readonly address: string; readonly code: string }

/** Starts a control plane that is not set up yet; resolves when it has printed its code. */
async function startPlane(env: Record<string, string>): Promise<Plane> {
  const port = String(await findFreePort())
  const ports = { CONTROL_PLANE_PORT: port, INTERNAL_PORT: String(await findFreePort()) }
  const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'ignore'], env: { ...PROCESS_ENV, ...env, ...ports } })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  for await (const line of createInterface(child.stdout)) {
    const code = /setup\?code=([\w-]+)/.exec(line)?.[1]
    if (code !== undefined) return { address: `http://127.0.0.1:${port}`, code }
  }
  throw new Error('the control plane ended')
}

describe('the control plane', () => {
  let redis: TestRedis
  let test: TestApp
  beforeAll(async () => {
    redis = await startTestRedis()
    test = await createTestApp()
  })
  afterAll(async () => {
    await test.stop()
    await redis.stop()
  })

  const envOf = (database: string) => ({
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    KEY_CHANNELS: KEY,
    KEY_OPTIONS: KEY,
    INTERNAL_SECRETS: 's'.repeat(40),
  })
  const runOn = async (database: string) =>
    await runProcess({
      ...envOf(database),
      CONTROL_PLANE_PORT: String(await findFreePort()),
      INTERNAL_PORT: String(await findFreePort()),
      LOG_LEVEL: 'silent',
    })

  it('accepts the set-up code that another control plane of the installation printed', async () => {
    const fresh = await createTestDatabase()
    onTestFinished(() => fresh.drop())
    const others = { ...envOf(fresh.url), KEY_OPTIONS: `k1:${randomBytes(32).toString('base64url')}` }
    const [first, second, other] = await Promise.all([startPlane(envOf(fresh.url)), startPlane(envOf(fresh.url)), startPlane(others)])
    const setUp = async (code: string): Promise<unknown> => {
      const answer = await fetch(`${second.address}/api/setup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.5' },
        body: JSON.stringify({ username: 'root', password: 'a-long-password', confirmPassword: 'a-long-password', code }),
      })
      return await answer.json()
    }

    expect(await setUp(other.code)).toMatchObject({ success: false, message: '初始化验证码无效，请使用启动日志中的链接' })
    expect(await setUp(first.code)).toMatchObject({ success: true })
  })

  it('exits with one line when Postgres is unavailable at startup', async () => {
    const { code, errors } = await runOn('postgres://127.0.0.1:1/none')

    expect(errors).toMatch(/^control-plane: The database is unavailable.*127\.0\.0\.1:1.*\n$/)
    // Another start may succeed.
    expect(code).toBe(STORE_AWAY)
  })

  it('names the missing migration when it starts on an empty database', async () => {
    const empty = await createTestDatabase()
    await sql`drop schema public cascade`.execute(empty.db)
    const { code, errors } = await runOn(empty.url)

    await empty.drop()
    expect(errors).toMatch(/^control-plane: relation "\w+" does not exist \(the database was not migrated to this version\)\n$/)
    expect(code).toBe(1)
  })

  it('exits with one line when its environment is not valid', async () => {
    const { code, errors } = await runProcess({ REDIS_URL: redis.url })

    expect(errors).toMatch(/^control-plane: environment: .*\n$/)
    expect(code).toBe(1)
  })

  it('answers 503 in the envelope while Postgres is unavailable', async () => {
    const db = connectDb({ url: 'postgres://127.0.0.1:1/none' })
    const options = createOptionReader(db, unsealOption(test.deps.sealers.options))
    const app = createApp({ ...test.deps, db, options }, { isDraining: false, findObstacle: async () => undefined })

    for (const [method, path, body] of [
      ['GET', '/api/status', undefined],
      ['POST', '/api/user/login', JSON.stringify({ username: 'root', password: 'a-password' })],
    ] as const) {
      const answer = await app.request(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ success: false, message: '数据库暂不可用，请稍后再试' })
    }
  })
})
