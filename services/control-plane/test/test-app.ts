import { randomBytes } from 'node:crypto'
import { ControlPlaneEnv, parseEnv } from '@tollgate/config/env'
import { createSealer, unsealOption } from '@tollgate/config/sealing'
import { connectDb } from '@tollgate/db/connect'
import type { Replica } from '@tollgate/db/replica'
import { createJobClient } from '@tollgate/jobs/client'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound } from '@tollgate/outbound/outbound'
import { connectRedis } from '@tollgate/redis/connect'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTestRedis } from '@tollgate/testing/redis'
import type { Hono } from 'hono'
import { createBudgets, READ_CONNECTIONS } from '../src/budgets.ts'
import { createApp } from '../src/app.ts'
import type { Deps } from '../src/deps.ts'
import { createOptionReader } from '@tollgate/db/option-reader'

export type Answer = {
  readonly status: number
  readonly body: { success: boolean; message: string; data?: unknown }
  readonly headers: Headers
}

/** A body that is sent unchanged instead of as JSON. */
export type RawBody = { readonly raw: string }
export const raw = (text: string): RawBody => ({ raw: text })

/** Calls the API as one user; `guest` has neither cookie nor user id. */
export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export type TestApp = {
  readonly app: Hono
  readonly deps: Deps
  readonly database: TestDatabase
  readonly guest: Caller
  /** Sets the system up and signs root in. */
  setUp(): Promise<Caller>
  signIn(username: string, password: string): Promise<Caller>
  /** Redis loses everything. */
  restartRedis(whileDown?: () => Promise<void>): Promise<void>
  /** Redis answers nothing for the length of the work; its connections stay open. */
  whileRedisHangs<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export const ROOT = { username: 'root', password: 'a-long-password' } as const

/** The control plane's app with its own database and Redis, without sockets. */
export async function createTestApp(
  overrides: Readonly<Record<string, string>> = {},
  given: { readonly database?: TestDatabase; readonly replica?: Replica } = {},
): Promise<TestApp> {
  const database = given.database ?? (await createTestDatabase())
  const server = await startTestRedis()
  const env = parseEnv(ControlPlaneEnv, {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: server.url,
    KEY_CHANNELS: `t:${randomBytes(32).toString('base64url')}`,
    KEY_OPTIONS: `t:${randomBytes(32).toString('base64url')}`,
    INTERNAL_SECRETS: randomBytes(32).toString('hex'),
    SETUP_CODE: 'off',
    SHARDS: '8',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    ...overrides,
  })
  const sealers = { channels: createSealer(env.KEY_CHANNELS), options: createSealer(env.KEY_OPTIONS) }
  const reads = connectDb({ url: database.url, max: READ_CONNECTIONS })
  const redis = connectRedis(server.url, 'plain')
  const jobs = createJobClient(server.url)
  const outbound = createOutbound({ guard: createAddressGuard({ allow: env.UPSTREAM_ALLOW_PRIVATE, own: [] }) })
  const inner = createOutbound()
  const quiet = (): void => undefined
  const deps: Deps = {
    env,
    db: database.db,
    reads,
    replica: given.replica,
    bulk: reads,
    budgets: createBudgets(),
    redis,
    ledgerRedis: redis,
    sealers,
    options: createOptionReader(database.db, unsealOption(sealers.options)),
    jobs,
    outbound,
    inner,
    log: { info: quiet, warn: quiet, error: quiet },
    now: Date.now,
    stopping: new AbortController().signal,
    started_at: Math.floor(Date.now() / 1000),
    version: '0.0.0-test',
    setup_code: env.SETUP_CODE,
  }
  const app = createApp(deps, { isDraining: false, findObstacle: async () => undefined })
  const guest = callerOf(app, {})
  const signIn = async (username: string, password: string): Promise<Caller> => {
    const { body, headers } = await guest('POST', '/api/user/login', { username, password })
    if (!body.success) throw new Error(body.message)
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const { id } = body.data as { id: number } // the login answer, whose shape another test checks
    return callerOf(app, { cookie, 'New-Api-User': String(id) })
  }
  return {
    app,
    deps,
    database,
    guest,
    signIn,
    whileRedisHangs: async (work) => {
      await server.pause()
      try {
        return await work()
      } finally {
        await server.resume()
      }
    },
    restartRedis: (whileDown) => server.restart(whileDown),
    setUp: async () => {
      const { body } = await guest('POST', '/api/setup', { ...ROOT, confirmPassword: ROOT.password })
      if (!body.success) throw new Error(body.message)
      return await signIn(ROOT.username, ROOT.password)
    },
    stop: async () => {
      await jobs.close()
      await outbound.close()
      await inner.close()
      redis.disconnect()
      await server.stop()
      await reads.destroy()
      await database.drop()
    },
  }
}

function callerOf(app: Hono, own: Readonly<Record<string, string>>): Caller {
  return async (method, path, body, headers = {}) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const answer = await app.request(path, { method, headers: { ...type, ...own, ...headers }, ...bodyOf(body) })
    const text = await answer.text()
    const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '')
    // Nearly all calls answer the envelope; a plain text, which payment gateways read, is given as the message.
    return {
      status: answer.status,
      headers: answer.headers,
      body: (isJson ? JSON.parse(text) : { success: false, message: text }) as Answer['body'],
    }
  }
}

function bodyOf(body: unknown): { body?: string } {
  if (body === undefined) return {}
  const isRaw = typeof body === 'object' && body !== null && 'raw' in body && typeof body.raw === 'string'
  return { body: isRaw ? String(body.raw) : JSON.stringify(body) }
}
