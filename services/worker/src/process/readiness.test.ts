import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDb } from '@tollgate/db/connect'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { findObstacle } from './readiness.ts'

describe('the readiness of the worker', () => {
  let server: TestRedis
  let database: TestDatabase
  let redis: Redis
  let probeRedis: Redis
  beforeAll(async () => {
    server = await startTestRedis()
    database = await createTestDatabase()
    redis = connectRedis(server.url, 'plain')
    probeRedis = connectRedis(server.url, 'ledger')
    await Promise.all([waitUntilReady(redis), waitUntilReady(probeRedis)])
  })
  afterAll(async () => {
    for (const connection of [redis, probeRedis]) connection.disconnect()
    await database.drop()
    await server.stop()
  })

  it('names a closed fence', async () => {
    expect(await findObstacle({ db: database.db, redis, probeRedis, shards: 64 }, false)).toBe('the ledger fence is closed')
  })

  it('names Postgres', async () => {
    const db = connectDb({ url: 'postgres://127.0.0.1:1/none' })

    expect(await findObstacle({ db, redis, probeRedis, shards: 64 }, false)).toBe('Postgres does not answer')
    await db.destroy()
  })

  it('names a Redis that is connected and does not answer', async () => {
    await server.pause()
    const obstacle = await findObstacle({ db: database.db, redis, probeRedis, shards: 64 }, false)
    await server.resume()

    expect(obstacle).toBe('Redis does not answer')
  })
})
