import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSealer } from '@tollgate/config/sealing'
import type { WhatIfCandidate } from '@tollgate/contracts/resources/what-if'
import { createWhatIf, findWhatIf } from '@tollgate/db/queries/channels/what-ifs'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { connectRedis } from '@tollgate/redis/connect'
import { startTestRedis } from '@tollgate/testing/redis'
import { sql } from 'kysely'
import { measureCosts } from '../src/handlers/measure-costs.ts'
import { replayRequests } from '../src/handlers/replay-requests.ts'
import { recordedRow } from './recorded-rows.ts'

/** `npm run bench:what-if [requests]`: how long a replay of recorded requests takes, and how much memory. It starts a Postgres of its own. */
const REQUESTS = Number(process.argv[2] ?? 1_000_000)
const DISTINCT = Math.min(20_000, REQUESTS)
const NOW = 1_790_000_000
const SPAN = 24 * 3600
const CHANNELS = Array.from({ length: 8 }, (_, nth) => ({ id: nth + 1, weight: 10 * nth, priority: nth < 6 ? 1 : 0 }))

const secrets = createSealer(`one:${Buffer.alloc(32, 1).toString('base64url')}`)
const folder = await mkdtemp(join(tmpdir(), 'tollgate-what-if-'))
// initdb runs as another user.
await chmod(folder, 0o777)
const postgres = await startPostgres({
  dataDir: join(folder, 'postgres'),
  binDir: '/var/lib/tollgate/test-bin',
  port: await findFreePort(),
  isDurable: false,
  flags: ['-c', 'shared_buffers=256MB', '-c', 'max_wal_size=4GB'],
})
const server = await startTestRedis()
const redis = connectRedis(server.url, 'plain')
const db = connectDb({ url: postgres.url, name: 'what-if' })
try {
  await migrate(db)
  await fill()
  const changed: WhatIfCandidate = {
    channels: [
      { id: 6, is_enabled: false },
      { id: 2, weight: 90, cost_ratio: 0.4 },
    ],
    strategies: { '*': 'price' },
  }
  await measureEffectiveCosts()
  await measure('unchanged', { channels: [] })
  await measure('changed', changed)
} finally {
  await db.destroy()
  redis.disconnect()
  await Promise.all([postgres.stop(), server.stop()])
  await rm(folder, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  const every = Math.max(1, Math.floor(REQUESTS / DISTINCT))
  for (let start = 0; start < DISTINCT; start += 1000) {
    const rows = Array.from({ length: Math.min(1000, DISTINCT - start) }, (_, index) => {
      const nth = start + index
      const fails = (id: number, at: number): boolean => (at * 31 + id) % 25 === 0
      return recordedRow({
        at: NOW - SPAN,
        nth,
        channels: CHANNELS,
        model: `model-${nth % 12}`,
        model_ratio: 1,
        user_id: nth % 500,
        retries: 2,
        fails,
      })
    })
    await db.insertInto('logs').values(rows).execute()
  }
  // One copy a statement, within the time that a statement has.
  for (let copy = 1; copy < every; copy += 1)
    await sql`
      insert into logs (created_at, type, user_id, username, channel_id, model_name, "group", quota, use_time, request_id, state, usage, quote, explanation)
      select created_at + ((id * 7919 + ${copy}::bigint * 1733) % ${SPAN - 100}), type, user_id, username, channel_id, model_name, "group", quota, use_time,
        request_id || '-' || ${copy}::bigint, state, usage, quote, explanation
      from logs where created_at = ${NOW - SPAN} and request_id not like '%-%-%'`.execute(db)
}

/** The read of the newest 50 000 requests, as the worker does it every five minutes. */
async function measureEffectiveCosts(): Promise<void> {
  const [started, backend] = [performance.now(), await backendSeconds()]
  const { rows } = await measureCosts({ db, redis, now: () => NOW * 1000 })({}, { signal: new AbortController().signal, attempt: 1 })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(
    `${JSON.stringify({ name: 'effective cost', rows, seconds, postgres_cpu_seconds: ((await backendSeconds()) - backend).toFixed(1) })}\n`,
  )
}

async function measure(name: string, candidate: WhatIfCandidate): Promise<void> {
  const { id } = await db
    .transaction()
    .execute((tx) =>
      createWhatIf(tx, { candidate, since: NOW - SPAN, until: NOW, total: REQUESTS, requested_by: 'bench', created_at: NOW }),
    )
  let most = 0
  const backend = await backendSeconds()
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100)
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  await replayRequests({ db, redis, secrets, now: () => NOW * 1000 })({ id }, { signal: new AbortController().signal, attempt: 1 })
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(watch)
  const result = (await findWhatIf(db, id))?.result
  const line = {
    name,
    requests: result?.requests,
    changed: result?.changed,
    seconds: seconds.toFixed(1),
    cpu_seconds: ((user + system) / 1e6).toFixed(1),
    postgres_cpu_seconds: ((await backendSeconds()) - backend).toFixed(1),
    rss_mb: Math.round(most / 2 ** 20),
    missing: result?.missing,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** CPU seconds of all processes of this Postgres, ended ones included. */
async function backendSeconds(): Promise<number> {
  const pid = Number((await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
  const own = cpuTicks(await readFile(`/proc/${pid}/stat`, 'utf8'), true)
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .trim()
    .split(' ')
    .filter((text) => text !== '')
  const stats = await Promise.all(children.map((child) => readFile(`/proc/${child}/stat`, 'utf8').catch(() => '')))
  return (own + stats.reduce((sum, stat) => sum + cpuTicks(stat, false), 0)) / 100
}

function cpuTicks(stat: string, hasEnded: boolean): number {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return (hasEnded ? [11, 12, 13, 14] : [11, 12]).reduce((sum, at) => sum + (fields[at] ?? 0), 0)
}
