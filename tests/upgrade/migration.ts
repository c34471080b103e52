import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { connectDb } from '@tollgate/db/connect'
import type { Env } from './fleet.ts'

type Migrated = {
  /** Milliseconds until each was recorded; those of the first include the start of the job. */
  readonly migrations: readonly { readonly name: string; readonly ms: number }[]
  readonly ms: number
  /** The longest time that a writer of each table waited for its lock. */
  readonly waits: ReadonlyMap<string, number>
}

/** Tables that requests and posting write. */
const WRITTEN = ['logs', 'usage_keys', 'usage_hours', 'users', 'tokens', 'wallet_entries', 'channel_usage', 'tasks', 'deliveries'] as const
const PROBE_EVERY_MS = 10

/** Runs the migration job of the version in `root`, and measures how long writers of each table wait meanwhile. */
export async function migrateUnderLoad(root: string, env: Env): Promise<Migrated> {
  const url = env['DATABASE_URL'] ?? ''
  const waits = new Map<string, number>()
  let isOver = false
  const probes = WRITTEN.map((table) => probe(url, table, waits, () => isOver))
  const began = Date.now()
  try {
    await promisify(execFile)(process.execPath, [join(root, 'deploy/migrate/src/main.ts')], { cwd: root, env: inheritedEnv(env) })
  } finally {
    isOver = true
  }
  const ms = Date.now() - began
  await Promise.all(probes)
  return { migrations: await readTimes(url, began), ms, waits }
}

async function probe(url: string, table: string, waits: Map<string, number>, isOver: () => boolean): Promise<void> {
  const db = connectDb({ url, max: 1, name: 'upgrade-probe' })
  while (!isOver()) {
    await db.transaction().execute(async (tx) => {
      const began = performance.now()
      await sql`lock table ${sql.table(table)} in row exclusive mode`.execute(tx)
      waits.set(table, Math.max(waits.get(table) ?? 0, Math.round(performance.now() - began)))
    })
    await wait(PROBE_EVERY_MS)
  }
  await db.destroy()
}

async function readTimes(url: string, began: number): Promise<Migrated['migrations']> {
  const db = connectDb({ url, max: 1, name: 'upgrade-times' })
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration_later order by name`.execute(db)
  await db.destroy()
  let last = began
  return rows.flatMap(({ name, timestamp }) => {
    const at = Date.parse(timestamp)
    if (at < began) return []
    const ms = at - last
    last = at
    return [{ name, ms }]
  })
}
