import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@tollgate/servers/free-port'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'

export type TestRedis = { readonly url: string; readonly port: number; readonly pid: number; readonly dir: string; stop(): Promise<void> }

/** A Redis process of its own for one test file: scripts, epochs and keys are never shared between files. */
export async function startTestRedis(options: { readonly isDurable?: boolean } = {}): Promise<TestRedis> {
  const binary = await findRedisBinary()
  if (binary === undefined) throw new Error('tests need valkey-server or redis-server on the PATH')
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-redis-'))
  const server = await startRedis({ binary, dataDir: dir, port: await findFreePort(), isDurable: options.isDurable ?? false })
  return {
    url: server.url,
    port: server.port,
    pid: server.pid,
    dir,
    stop: async () => {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
