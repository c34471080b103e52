import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '@tollgate/db/connect'
import { createChannel, setUp, type Api } from '../../support/api.ts'
import { readCommandLine } from '../../support/command-line.ts'
import { startCluster, type Cluster } from '../cluster.ts'
import { startTaskVendor } from './task-vendor.ts'

/**
 * `npm run bench:tasks` measures how late open tasks are asked about: real Postgres, Redis and worker, a vendor that answers at once, and
 * tasks that become due evenly. Exit code 1: a p95 of the lag above the limit. The lag of every twentieth question is recorded by a trigger.
 */
const { values } = readCommandLine({
  command: 'npm run bench:tasks --',
  about: 'Measures how late open tasks are asked about. Exit code 1: a p95 of the lag is above the limit.',
  example: 'npm run bench:tasks -- --tasks 20000 --seconds 30',
  options: {
    tasks: { type: 'string', default: '100000', about: 'open tasks' },
    interval: {
      type: 'string',
      default: '5000',
      about: 'milliseconds between two questions about a young task; these are old, so three times as long',
    },
    seconds: { type: 'string', default: '60', about: 'length of the measurement in seconds' },
    videos: { type: 'string', default: '0.02', about: 'share of tasks that are asked about one by one, as videos are' },
    limit: { type: 'string', default: '5000', about: 'milliseconds of lag that the p95 may reach' },
  },
})
const [count, interval, seconds] = [Number(values.tasks), Number(values.interval), Number(values.seconds)]
const WARM_ROUNDS = 2
/** Every how many-th question is recorded. */
const SAMPLE = 20

const dir = await mkdtemp(join(tmpdir(), 'tollgate-open-tasks-'))
const vendor = await startTaskVendor([], 'steady')
const cluster = await startCluster({ dir, relays: 0, fsync: 'everysec', reapAfter: 60, env: { TASK_POLL_INTERVAL: String(interval) } })
const log = (line: string): void => void process.stdout.write(`${line}\n`)
try {
  process.exitCode = (await measure(cluster)) ? 0 : 1
} finally {
  vendor.stop()
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
process.exit()

async function measure({ controlPlane, db, worker }: Cluster): Promise<boolean> {
  const api = await setUp(controlPlane.url)
  const channels = {
    midjourney: await createChannels({ api, db }, 5, 12),
    suno: await createChannels({ api, db }, 36, 4),
    video: await createChannels({ api, db }, 55, 4),
  }
  await recordLags(db)
  await writeTasks(db, channels)
  await sql`analyze tasks, task_polls`.execute(db)
  const every = interval * 3
  log(`${count} open tasks, each due every ${every / 1000} s: ${Math.round((count * 1000) / every)} questions a second`)
  // The first answer changes every task; measured is what follows.
  while (await isUnasked(db)) await wait(1000)
  await wait(WARM_ROUNDS * every)
  await sql`truncate bench_lags`.execute(db)
  const [cpu, began] = [cpuSeconds(worker.pid()), Date.now()]
  await wait(seconds * 1000)
  const lasted = (Date.now() - began) / 1000
  const { rows } = await sql<{ asked: number; p50: number; p95: number; most: number }>`
    select count(*) as asked, percentile_disc(0.5) within group (order by lag) as p50,
      percentile_disc(0.95) within group (order by lag) as p95, max(lag) as most from bench_lags`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('no task was asked about')
  const workerShare = (cpuSeconds(worker.pid()) - cpu) / lasted
  log(`${Math.round((found.asked * SAMPLE) / lasted)} questions a second over ${Math.round(lasted)} s`)
  log(
    `lag ms: p50 ${found.p50}, p95 ${found.p95}, most ${found.most}; worker ${workerShare.toFixed(2)} of a core; load ${loadavg()[0]?.toFixed(0)}`,
  )
  await explain(db)
  return found.p95 <= Number(values.limit)
}

async function createChannels({ api, db }: { api: Api; db: Db }, type: number, many: number): Promise<number[]> {
  for (let at = 0; at < many; at += 1) {
    await createChannel(api, { name: `bench ${type} ${at}`, type, base_url: vendor.url, models: 'bench', key: 'key' })
  }
  const rows = await db.selectFrom('channels').select('id').where('type', '=', type).execute()
  return rows.map(({ id }) => id)
}

/** A claim raises `polls`; how late it is follows from the time at which the task was due. */
async function recordLags(db: Db): Promise<void> {
  await sql`create unlogged table bench_lags (lag bigint not null)`.execute(db)
  await sql`
    create function bench_record_lag() returns trigger language plpgsql as $$
    begin
      insert into bench_lags values (extract(epoch from clock_timestamp()) * 1000 - old.next_poll_at);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger bench_lag after update on task_polls for each row
    when (new.polls > old.polls and old.task % ${sql.lit(SAMPLE)} = 0) execute function bench_record_lag()`.execute(db)
}

async function writeTasks(db: Db, channels: Readonly<Record<'midjourney' | 'suno' | 'video', readonly number[]>>): Promise<void> {
  const videos = Number(values.videos)
  const shares = { midjourney: (1 - videos) * 0.7, suno: (1 - videos) * 0.3, video: videos }
  let first = 0
  for (const family of ['midjourney', 'suno', 'video'] as const) {
    const many = Math.round(count * shares[family])
    await sql`
      insert into tasks (task_id, family, user_id, channel_id, request_id, vendor_task_id, state, is_posted, submit_time, deadline)
      select 'open-' || n, ${family}, 1, (${`{${channels[family].join(',')}}`}::text::bigint[])[1 + n % ${channels[family].length}], 'open-' || n, 'open-' || n,
        'submitted', true, ${Date.now() - 3_600_000}, ${Date.now() + 86_400_000}
      from generate_series(${first}::int, ${first + many - 1}::int) as n`.execute(db)
    first += many
  }
  await sql`
    insert into task_polls (task, channel_id, next_poll_at)
    select id, channel_id, ${Date.now()} + (random() * ${interval * 3})::bigint from tasks`.execute(db)
}

async function isUnasked(db: Db): Promise<boolean> {
  return (await db.selectFrom('tasks').select('id').where('version', '=', 0).limit(1).execute()).length > 0
}

/** The plan of the claim, which must read the index on `next_poll_at` and no more rows than it takes. */
async function explain(db: Db): Promise<void> {
  const { rows } = await sql<Record<string, string>>`
    explain (analyze, buffers, costs off, timing off) select task from task_polls
    where next_poll_at <= ${Date.now() + interval} and channel_id <> all ('{1,2}'::bigint[])
    order by next_poll_at limit 1000 for update skip locked`.execute(db)
  for (const row of rows) log(`  ${Object.values(row).join(' ')}`)
}

/** User and system time of a process: fields 14 and 15 of its `stat`, in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
