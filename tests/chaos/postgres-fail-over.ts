import { rm, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '@tollgate/db/connect'
import { findFreePort } from '@tollgate/servers/free-port'
import { promotePostgres } from '@tollgate/testing/postgres-pair'
import { startAddress } from './address.ts'
import type { Cluster } from './cluster.ts'
import { copyPostgres, ownLike } from './stores.ts'

const NAME = 'standby'
const PATIENCE_MS = 60_000

type FailOver = {
  /** Commits wait for the standby: nothing that was answered is lost. Otherwise replication stalls for `stalledMs` before the primary dies. */
  readonly isSynchronous: boolean
  readonly stalledMs: number
  /** How long the standby follows before, and serves afterwards. */
  readonly followedMs: number
  readonly servedMs: number
}

/** A standby follows, the primary is killed, and the promoted standby takes its address. It moves to the place of the primary in the end. */
export async function failOverPostgres(cluster: Cluster, how: FailOver): Promise<void> {
  const { pgDir, pgPort, postgres, postgresAddress } = cluster
  const dir = `${pgDir}.standby`
  const port = await findFreePort()
  const link = await startAddress(pgPort)
  const standby = cluster.makePostgres(NAME, { dataDir: dir, port, flags: ['-c', `primary_conninfo=${conninfo(link.port)}`] })
  let isPromoted = false
  try {
    await copyPostgres(cluster, dir)
    await writeFile(join(dir, 'standby.signal'), '')
    await ownLike(pgDir, join(dir, 'standby.signal'))
    await standby.start()
    await untilSeen(cluster.db, 'state', 'streaming')
    if (how.isSynchronous) await requireStandby(cluster.db)
    await wait(how.followedMs)
    if (!how.isSynchronous) {
      await link.fallSilent()
      await wait(how.stalledMs)
    }
    await postgres.end('SIGKILL')
    await promotePostgres(`postgres://tollgate@127.0.0.1:${port}/postgres`)
    isPromoted = true
    await postgresAddress.pointTo(port)
    await postgresAddress.cut()
    await wait(how.servedMs)
  } finally {
    if (isPromoted) await takePlace(cluster, { end: () => standby.end('SIGINT'), dir })
    else await giveUp(cluster, { end: () => standby.end('SIGKILL'), dir })
    link.close()
  }
}

type Standby = { readonly dir: string; end(): Promise<void> }

/** A planned stop of the promoted server, which starts again in the folder and at the port of the old primary. */
async function takePlace({ pgDir, pgPort, postgres, postgresAddress }: Cluster, { end, dir }: Standby): Promise<void> {
  await end()
  await rm(pgDir, { recursive: true, force: true })
  await rename(dir, pgDir)
  await postgres.start()
  await postgresAddress.pointTo(pgPort)
  await postgresAddress.cut()
}

async function giveUp({ db, postgres }: Cluster, { end, dir }: Standby): Promise<void> {
  await postgres.start()
  await sql`alter system reset synchronous_standby_names`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await end()
  await rm(dir, { recursive: true, force: true })
}

const conninfo = (port: number): string => `host=127.0.0.1 port=${port} user=tollgate application_name=${NAME}`

async function requireStandby(db: Db): Promise<void> {
  await sql`alter system set synchronous_standby_names = ${sql.lit(NAME)}`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await untilSeen(db, 'sync_state', 'sync')
}

/** Waits until the primary sees its standby in this state. */
async function untilSeen(db: Db, column: 'state' | 'sync_state', wanted: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql<{ found: string }>`
      select ${sql.ref(column)} as found from pg_stat_replication where application_name = ${NAME}`.execute(db)
    if (rows.some(({ found }) => found === wanted)) return
    if (Date.now() > deadline) throw new Error(`the standby did not become ${wanted} within ${PATIENCE_MS} ms`)
    await wait(50)
  }
}
