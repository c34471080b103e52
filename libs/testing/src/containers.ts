import type { StartedTestContainer } from 'testcontainers'
import type { TestServersEnv } from '@tollgate/config/env'
import { findFreePort } from '@tollgate/servers/free-port'
import type { TestRedis } from './redis.ts'

type TestPostgres = { readonly url: string; stop(): Promise<void> }

const PASSWORD = 'tollgate'
/** Bind and protected mode: images of distributions accept only local connections by default. */
const REDIS_FLAGS = ['--bind', '0.0.0.0', '--protected-mode', 'no', '--save', '', '--maxmemory-policy', 'noeviction']

/** Postgres without durability in a container, with the settings of `startPostgres`. */
export async function startPostgresContainer(env: TestServersEnv): Promise<TestPostgres> {
  const { GenericContainer } = await import('testcontainers')
  const container = await new GenericContainer(env.TEST_POSTGRES_IMAGE)
    .withEnvironment({
      POSTGRES_USER: 'tollgate',
      POSTGRES_PASSWORD: PASSWORD,
      POSTGRES_DB: 'postgres',
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C',
    })
    .withCommand(['postgres', ...settings(['max_connections=200', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'])])
    .withExposedPorts(5432)
    .start()
  return { url: `postgres://tollgate:${PASSWORD}@${addressOf(container, 5432)}/postgres`, stop: async () => void (await container.stop()) }
}

/** Redis in a container, with the settings of `startRedis`. */
export async function startRedisContainer(env: TestServersEnv, isDurable: boolean): Promise<TestRedis> {
  const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers')
  const started = await new GenericContainer(env.TEST_REDIS_IMAGE)
    .withCommand(['redis-server', ...REDIS_FLAGS, '--appendonly', isDurable ? 'yes' : 'no'])
    // A fixed port, so that a restarted container keeps its address.
    .withExposedPorts({ container: 6379, host: await findFreePort() })
    .start()
  const runtime = await getContainerRuntimeClient()
  const container = runtime.container.getById(started.getId())
  return {
    url: `redis://${addressOf(started, 6379)}`,
    port: started.getMappedPort(6379),
    pause: async () => void (await container.pause()),
    resume: async () => void (await container.unpause()),
    restart: async (whileDown) => {
      await container.stop()
      await whileDown?.()
      await container.start()
    },
    kill: async () => void (await container.kill()),
    stop: async () => void (await started.stop()),
  }
}

function addressOf(container: StartedTestContainer, port: number): string {
  return `${container.getHost()}:${container.getMappedPort(port)}`
}

function settings(pairs: readonly string[]): string[] {
  return pairs.flatMap((pair) => ['-c', pair])
}
