import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, TestServersEnv } from '@tollgate/config/env'
import { findFreePort } from '@tollgate/servers/free-port'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'

export type TestRedis = {
  readonly url: string
  readonly port: number
  /** Stops it from answering; connections stay open. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Stops it and starts it again at the same address; without `isDurable` it has lost everything. */
  restart(whileDown?: () => Promise<void>): Promise<void>
  /** Ends it without a shutdown. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A Redis server for one test file: scripts, epochs and keys are never shared between files. */
export async function startTestRedis(options: { readonly isDurable?: boolean } = {}): Promise<TestRedis> {
  const isDurable = options.isDurable ?? false
  const env = parseEnv(TestServersEnv)
  if (env.TEST_SERVERS === 'local') return await startLocalRedis(isDurable)
  const { startRedisContainer } = await import('./containers.ts')
  return await startRedisContainer(env, isDurable)
}

async function startLocalRedis(isDurable: boolean): Promise<TestRedis> {
  const binary = await findRedisBinary()
  if (binary === undefined) throw new Error('tests need valkey-server or redis-server on the PATH, or TEST_SERVERS=containers')
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-redis-'))
  const options = { binary, dataDir, port: await findFreePort(), isDurable }
  let server = await startRedis(options)
  const signal = async (name: NodeJS.Signals): Promise<void> => void process.kill(server.pid, name)
  return {
    url: server.url,
    port: server.port,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    restart: async (whileDown) => {
      await server.stop()
      await whileDown?.()
      server = await startRedis(options)
    },
    kill: () => signal('SIGKILL'),
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
