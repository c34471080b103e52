import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findRedisBinary, startRedis } from './redis.ts'

it('does not mistake another server on its port for the Redis that it starts', async ({ onTestFinished }) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  // The address of a server that listens on TCP.
  const { port } = other.address() as AddressInfo
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-redis-'))
  onTestFinished(async () => {
    other.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const starting = startRedis({ binary: (await findRedisBinary()) ?? '', dataDir, port, isDurable: false })

  await expect(starting).rejects.toThrow(`port ${port} is taken`)
})
