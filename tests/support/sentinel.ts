import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import { findFreePort } from '@tollgate/servers/free-port'
import { spawnDetached, stopProcess, tailOf, waitUntilListening } from '@tollgate/servers/local-process'
import { startRedis } from '@tollgate/servers/redis'
import { requireRedisBinary } from '../../deploy/standalone/src/machine/system-packages.ts'

const NAME = 'mymaster'

export type Sentinels = {
  readonly url: string
  /** Ends the first master without a shutdown. */
  killMaster(): void
  /** Stops both servers, so that Sentinel has no master to name that answers, and starts them again. */
  whileDown(work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** A master, its replica, and a Sentinel that promotes the replica a second after the master has gone. */
export async function startSentinels(): Promise<Sentinels> {
  const binary = await requireRedisBinary()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-sentinel-'))
  const ports = { master: await findFreePort(), replica: await findFreePort() }
  const serve = async (name: 'master' | 'replica', flags: readonly string[]) =>
    await startRedis({ binary, dataDir: join(dir, name), port: ports[name], isDurable: true, flags })
  const serveBoth = async () => ({
    master: await serve('master', ['--repl-diskless-sync-delay', '0']),
    replica: await serve('replica', ['--replicaof', `127.0.0.1 ${ports.master}`]),
  })
  let { master, replica } = await serveBoth()
  await waitForReplica(replica.url)
  const port = await findFreePort()
  const config = join(dir, 'sentinel.conf')
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${master.port} 1`,
    `sentinel down-after-milliseconds ${NAME} 1000`,
    `sentinel failover-timeout ${NAME} 3000`,
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  const sentinel = spawnDetached({ command: binary, args: [config, '--sentinel'], env: { PATH: process.env['PATH'] ?? '' }, cwd: dir })
  await waitUntilListening(sentinel, port, tailOf(sentinel))
  await waitUntilComplete(port)
  // One of them is away: several that vote at the same moment may need many rounds.
  const servers = [await findFreePort(), port]
  return {
    url: `redis+sentinel://${servers.map((one) => `127.0.0.1:${one}`).join(',')}/${NAME}`,
    killMaster: () => void process.kill(master.pid, 'SIGKILL'),
    whileDown: async (work) => {
      for (const server of [replica, master]) await server.stop()
      await work()
      ;({ master, replica } = await serveBoth())
    },
    stop: async () => {
      await stopProcess(sentinel, 'SIGTERM')
      for (const server of [master, replica]) await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function waitForReplica(url: string): Promise<void> {
  const redis = connectRedis(url, 'plain')
  await waitUntilReady(redis)
  while (!(await redis.info('replication')).includes('master_link_status:up')) await wait(50)
  redis.disconnect()
}

/** Waits until Sentinel knows the replica. */
async function waitUntilComplete(port: number): Promise<void> {
  const redis = connectRedis(`redis://127.0.0.1:${port}`, 'plain')
  const isComplete = async () => /slaves=1,/.test(String(await redis.call('INFO', 'sentinel')))
  while (!(await isComplete())) await wait(50)
  redis.disconnect()
}
