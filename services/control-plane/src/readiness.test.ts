import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDb } from '@tollgate/db/connect'
import { connectRedis } from '@tollgate/redis/connect'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { createTestApp, type TestApp } from '../test/test-app.ts'
import { findObstacle } from './readiness.ts'

describe('the readiness of the control plane', () => {
  let server: TestRedis
  let test: TestApp
  beforeAll(async () => {
    server = await startTestRedis()
    test = await createTestApp()
  })
  afterAll(async () => {
    await test.stop()
    await server.stop()
  })

  it('names Postgres, also one that was not migrated', async () => {
    const db = connectDb({ url: 'postgres://127.0.0.1:1/none' })

    expect(await findObstacle({ ...test.deps, db })).toBe('Postgres does not answer or was not migrated')
    await db.destroy()
  })

  it('names a Redis that is connected and does not answer', async () => {
    const redis = connectRedis(server.url, 'plain')
    await redis.ping()
    expect(await findObstacle({ ...test.deps, redis })).toBeUndefined()

    await server.pause()
    const obstacle = await findObstacle({ ...test.deps, redis })
    await server.resume()
    redis.disconnect()

    expect(obstacle).toBe('Redis does not answer')
  })
})
