import { mkdtemp, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connectDb, type Db } from '@tollgate/db/connect'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'
import { addChannel, createKeys, MODELS, setUpConsole, signIn, type Session } from './console.ts'
import { createEnv, placesOf, planFleet, startAt, type Env, type Fleet } from './fleet.ts'
import { isAnswered, isCharged, startLoad, type Load, type Request } from './load.ts'
import { compareSums, readCharges, readSums, type Sums } from './sums.ts'
import type { Vendor } from './vendor.ts'

const SETTLED_WITHIN_MS = 120_000
const FLAGS = ['shared_buffers=256MB', 'max_wal_size=4GB'].flatMap((flag) => ['-c', flag])

/** An installation whose services are replaced: everything that the steps share. */
export type Walk = {
  readonly folder: string
  readonly env: Env
  readonly db: Db
  readonly fleet: Fleet
  readonly vendor: Vendor
  close(): Promise<void>
}

const open = new Set<() => Promise<void>>()

/** Stops everything that was started, when the run is interrupted. */
export async function closeAll(): Promise<void> {
  for (const close of open) await close()
}

/** Starts empty stores of its own. `prepare` changes them before the ports of the services are chosen, and returns their variables. */
export async function openWalk(vendor: Vendor, prepare: (env: Env, folder: string) => Promise<Env> = async (env) => env): Promise<Walk> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-upgrade-'))
  const binary = await findRedisBinary()
  if (binary === undefined) throw new Error('valkey-server or redis-server is needed')
  await promisify(execFile)('chmod', ['711', folder])
  const paths = { dataDir: join(folder, 'postgres'), binDir: join(folder, 'bin'), logFile: join(folder, 'postgres.log') }
  const postgres = await startPostgres({ ...paths, port: await findFreePort(), isDurable: true, flags: FLAGS })
  const redis = await startRedis({ binary, dataDir: join(folder, 'redis'), port: await findFreePort(), isDurable: true })
  const env = await prepare(createEnv({ postgres: postgres.url, redis: redis.url }), folder)
  const db = connectDb({ url: postgres.url, max: 2, name: 'upgrade', limits: STATEMENT_LIMITS.long })
  const fleet = await planFleet(env, folder)
  const close = async (): Promise<void> => {
    if (!open.delete(close)) return
    for (const place of placesOf(fleet).toReversed()) await place.stop().catch(() => undefined)
    fleet.close()
    await db.destroy()
    await redis.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  open.add(close)
  return { folder, env, db, fleet, vendor, close }
}

export const logDirOf = ({ folder }: Walk): string => join(folder, 'logs')

export type Caller = { readonly session: Session; readonly keys: readonly string[]; readonly cold: string[] }

const COLD_TOKENS = 400

/** Starts every service of the version in `root`, sets it up and waits until relays know the channel. */
export async function startFirst(walk: Walk, root: string): Promise<Caller> {
  for (const place of placesOf(walk.fleet)) await startAt(place, root, logDirOf(walk))
  const url = walk.fleet.planes[0]?.url ?? ''
  await setUpConsole(url)
  const session = await signIn(url)
  await addChannel(url, session, { name: 'first', vendor: walk.vendor.url })
  const { keys, cold } = await createKeys(url, session, COLD_TOKENS)
  const caller = { session, keys, cold: [...cold] }
  await wait(3000)
  return caller
}

type Loaded<T> = {
  readonly result: T
  readonly requests: readonly Request[]
  readonly differences: readonly string[]
  readonly after: Sums
}

/**
 * Runs `work` under load and waits until everything is posted. The differences: sums that did not grow by what the load used, and models
 * whose charge is not the same for every request.
 */
export async function underLoad<T>(walk: Walk, caller: Caller, clients: number, work: (load: Load) => Promise<T>): Promise<Loaded<T>> {
  const before = await readSums(walk.db)
  const load = startLoad({ fleet: walk.fleet, ...caller, clients })
  let result: T
  try {
    result = await work(load)
  } finally {
    await load.stop()
  }
  const charged = load.requests.filter((request) => isCharged(request) && isAnswered(request))
  await untilPosted(walk, before, charged.length)
  const charges = await readCharges(walk.db, MODELS)
  const several = [...charges].filter(([, quotas]) => quotas.length !== 1).map(([model, quotas]) => `${model} costs ${quotas.join(' or ')}`)
  const charge = charged.reduce((sum, { model }) => sum + (charges.get(model)?.[0] ?? 0), 0)
  const after = await readSums(walk.db)
  const sums = compareSums(before, after, { requests: charged.length, charge })
  return { result, requests: load.requests, differences: [...several, ...sums], after }
}

async function untilPosted(walk: Walk, before: Sums, count: number): Promise<void> {
  const deadline = Date.now() + SETTLED_WITHIN_MS
  while (Date.now() < deadline) {
    const { 'log rows of requests': rows } = await readSums(walk.db)
    if (rows >= before['log rows of requests'] + count) return
    await wait(1000)
  }
}
