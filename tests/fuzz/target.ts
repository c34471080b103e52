import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '@tollgate/db/connect'
import type { Cluster, Member } from '../chaos/cluster.ts'
import type { Service, Stack } from '../support/stack.ts'

/** A running system under test. */
export type Target = {
  readonly controlPlaneUrl: string
  readonly relayUrl: string
  readonly db: Db
  readonly redisUrl: string
  readonly env: Readonly<Record<string, string>>
  readonly shards: number
  readonly processes: readonly TargetProcess[]
}

export type TargetProcess = {
  readonly name: 'control-plane' | 'worker' | 'relay'
  readonly pid: () => number
  readLog(): Promise<string>
  crashes(): number
}

/** Settings of a system that is fuzzed: addresses of clients are taken from their headers, waits and budgets are small. */
export const TARGET_ENV = {
  // A folder with an index.html, so that paths outside the API are answered by a page.
  CONSOLE_DIR: join(import.meta.dirname, 'console-files'),
  TRUSTED_PROXIES: '127.0.0.0/8',
  RELAY_MAX_BODY: String(4 * 1024 * 1024),
  RELAY_BODY_BUDGET: String(64 * 1024 * 1024),
  FIRST_BYTE_TIMEOUT: '8',
  STREAMING_TIMEOUT: '4',
} as const

export function targetOfCluster(cluster: Cluster): Target {
  const [relay] = cluster.relays
  if (relay === undefined) throw new Error('the cluster has no relay')
  const process = (name: TargetProcess['name'], member: Member): TargetProcess => ({
    name,
    pid: member.pid,
    readLog: () => readFile(join(cluster.dir, `${member.name}.log`), 'utf8'),
    crashes: () => member.crashes().length,
  })
  return {
    controlPlaneUrl: cluster.controlPlane.url,
    relayUrl: relay.url,
    db: cluster.db,
    redisUrl: cluster.ledgerUrl,
    env: cluster.env,
    shards: cluster.shards,
    processes: [process('relay', relay), process('control-plane', cluster.controlPlane), process('worker', cluster.worker)],
  }
}

export function targetOfStack(stack: Stack): Target {
  const [relay] = stack.relays
  if (relay === undefined) throw new Error('the stack has no relay')
  const process = (name: TargetProcess['name'], service: Service): TargetProcess => ({
    name,
    pid: () => service.process.pid ?? 0,
    readLog: async () => service.output(),
    crashes: () => (service.process.exitCode === null ? 0 : 1),
  })
  return {
    controlPlaneUrl: stack.controlPlane.url,
    relayUrl: relay.url,
    db: stack.database.db,
    redisUrl: stack.redis.url,
    env: stack.env,
    shards: Number(stack.env['SHARDS']),
    processes: [process('relay', relay), process('control-plane', stack.controlPlane), process('worker', stack.worker)],
  }
}
