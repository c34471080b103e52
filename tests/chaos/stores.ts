import { execFile } from 'node:child_process'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { isFenceOpen } from '@tollgate/ledger/recovery/fence'
import { allShards, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { openLedgerOf, type Cluster } from './cluster.ts'

const run = promisify(execFile)

/** Kills Redis and starts it with the files it had `ageMs` ago. */
export async function rollBackRedis(cluster: Cluster, ageMs: number): Promise<void> {
  const files = join(cluster.redisDir, 'appendonlydir')
  const copy = `${files}.copy`
  await copyAppendOnly(files, copy)
  await wait(ageMs)
  await cluster.redis.end('SIGKILL')
  await rm(files, { recursive: true, force: true })
  await rename(copy, files)
  await cluster.redis.start()
}

/** Waits until no unposted event is older than `ageMs`; false after 30 s. */
export async function waitUntilPosted({ db, shards }: Cluster, redis: LedgerServers, ageMs: number): Promise<boolean> {
  const deadline = Date.now() + POSTED_WITHIN_MS
  while (Date.now() < deadline) {
    const cursors = await db.selectFrom('posting_cursors').select(['shard', 'last_id']).where('shard', '<', shards).execute()
    const oldest = await Promise.all(
      cursors.map(({ shard, last_id }) => serverOf(redis, shard).xrange(keys.usage(shard), `(${last_id}`, '+', 'COUNT', 1)),
    )
    if (oldest.flat().every(([, fields]) => Date.now() - Number(fields[fields.indexOf('at') + 1]) < ageMs)) return true
    await wait(100)
  }
  return false
}

const POSTED_WITHIN_MS = 30_000

/** Kills Redis and starts it without its files. */
export async function emptyRedis(cluster: Cluster): Promise<void> {
  await cluster.redis.end('SIGKILL')
  await rm(join(cluster.redisDir, 'appendonlydir'), { recursive: true, force: true })
  await cluster.redis.start()
}

/** Copies again if Redis rewrote the append-only file meanwhile: the files must be of one manifest. */
async function copyAppendOnly(files: string, copy: string): Promise<void> {
  const manifest = (): Promise<string> => readFile(join(files, 'appendonly.aof.manifest'), 'utf8')
  for (;;) {
    const before = await manifest()
    await rm(copy, { recursive: true, force: true })
    await run('cp', ['-a', files, copy]).catch(() => undefined)
    if (before === (await manifest())) return
  }
}

/** Kills Postgres and starts it from a base backup that was taken `ageMs` ago. */
export async function rollBackPostgres(cluster: Cluster, ageMs: number): Promise<void> {
  const { pgDir } = cluster
  const copy = `${pgDir}.copy`
  await copyPostgres(cluster, copy)
  await wait(ageMs)
  await cluster.postgres.end('SIGKILL')
  await rm(pgDir, { recursive: true, force: true })
  await rename(copy, pgDir)
  await cluster.postgres.start()
}

/**
 * Copies the folder of the running Postgres, so that a server can start from it.
 * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function copyPostgres(cluster: Cluster, copy: string): Promise<void> {
  const { pgDir } = cluster
  await rm(copy, { recursive: true, force: true })
  await cluster.db.connection().execute(async (db) => {
    await sql`select pg_backup_start('chaos', true)`.execute(db)
    // Files may disappear during the copy; the write-ahead log has their changes.
    await run('cp', ['-a', pgDir, copy]).catch(() => undefined)
    const { rows } = await sql<{ labelfile: string }>`select labelfile from pg_backup_stop(false)`.execute(db)
    await run('cp', ['-a', `${pgDir}/pg_wal/.`, `${copy}/pg_wal`])
    await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '')
  })
  await rm(join(copy, 'postmaster.pid'), { force: true })
  await rm(join(copy, 'postmaster.opts'), { force: true })
  await ownLike(pgDir, join(copy, 'backup_label'))
}

/** Gives a file to the user of a folder: as root, Postgres runs as another one. */
export async function ownLike(folder: string, file: string): Promise<void> {
  await run('chown', ['--reference', folder, file])
}

/** Advances the ids of a shard's stream beyond the clock, as a wrong clock or a failover to a faster one would. */
export async function advanceStreamIds(redis: LedgerServers, shard: number, aheadMs: number): Promise<void> {
  await serverOf(redis, shard).call('XSETID', keys.usage(shard), `${Date.now() + aheadMs}-0`)
}

/** Waits until every shard's fence is open; false after `timeoutMs`. */
export async function waitUntilOpen(cluster: Cluster, timeoutMs: number): Promise<boolean> {
  const { servers, close } = await openLedgerOf(cluster, 'plain')
  const deadline = Date.now() + timeoutMs
  try {
    while (Date.now() < deadline) {
      if (await isOpen(servers, cluster.shards).catch(() => false)) return true
      await wait(50)
    }
    return false
  } finally {
    close()
  }
}

async function isOpen(redis: LedgerServers, shards: number): Promise<boolean> {
  if (!(await isFenceOpen(redis, allShards(shards)))) return false
  const fences = await Promise.all(allShards(shards).map((shard) => serverOf(redis, shard).hmget(keys.fence(shard), 'epoch', 'closed')))
  return fences.every(([epoch, closed]) => typeof epoch === 'string' && closed === null)
}
