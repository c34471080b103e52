import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportReport } from '@tollgate/contracts/moving-in/report'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { crowdStatements } from '@tollgate/testing/gateway-database'
import { runOnMysql } from '@tollgate/testing/gateway-stores'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { startMariadb } from './support/mariadb.ts'

/**
 * `npm run bench:import [share] [kills]`: how long an import of 100 000 users, 300 000 tokens, 2 000 channels and 1 000 000 log rows takes from
 * MariaDB, and how much memory. It is killed as often as asked (three times at most), and goes on. It starts both servers itself. Exit code 1:
 * something was not carried.
 */
const [share = 1, kills = 3] = process.argv.slice(2).map(Number)
const CROWD = { users: 100_000 * share, tokens: 300_000 * share, channels: 2000 * share, logs: 1_000_000 * share }
const SCRIPT = join(import.meta.dirname, '../services/control-plane/src/import.ts')
const KEY = `k:${Buffer.alloc(32, 3).toString('base64url')}`
const DATABASE = 'newapi'
/** Unit of the CPU times of /proc. */
const TICKS_PER_SECOND = 100

const folder = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
// initdb runs as another user.
await chmod(folder, 0o777)
const source = await startMariadb()
const postgres = await startPostgres({
  dataDir: join(folder, 'postgres'),
  binDir: '/var/lib/tollgate/test-bin',
  port: await findFreePort(),
  isDurable: true,
  flags: ['-c', 'shared_buffers=128MB', '-c', 'max_wal_size=4GB'],
})
try {
  await runOnMysql(source.urlOf('mysql'), DATABASE, crowdStatements('mysql', CROWD))
  const db = connectDb({ url: postgres.url, name: 'bench-import' })
  await migrate(db)
  await db.destroy()
  await measure()
} finally {
  await Promise.all([postgres.stop(), source.stop()])
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const began = performance.now()
  const moments = [
    `users: ${Math.floor(CROWD.users / 20)}`,
    `tokens: ${Math.floor(CROWD.tokens / 20)}`,
    `logs: ${Math.floor(CROWD.logs / 20)}`,
  ]
  const peaks: number[] = []
  let cpuSeconds = 0
  for (const at of [...moments.slice(0, kills), undefined]) {
    const { code, peakMb, cpu, output } = await run(at)
    peaks.push(peakMb)
    cpuSeconds += cpu
    const ended = code === null ? `killed at ${at}` : `ended with ${code}`
    process.stdout.write(`${seconds(began)} s: ${ended}, at most ${peakMb} MB resident\n`)
    if (at === undefined && code !== 0) process.stdout.write(output)
  }
  const { counts, sums, is_complete } = ImportReport.parse(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')))
  const read = Object.entries(counts).flatMap(([kind, count]) => (count.read === 0 ? [] : [`${kind} ${count.read}`]))
  process.stdout.write(
    `${read.join(', ')} in ${seconds(began)} s with ${kills} kills, ${cpuSeconds} s of CPU, at most ${Math.max(...peaks)} MB; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(0)}\n`,
  )
  for (const { name, source: there, target } of sums) process.stdout.write(`${name}: ${there} there, ${target} here\n`)
  process.exitCode = is_complete ? 0 : 1
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000)
}

type Ended = { readonly code: number | null; readonly peakMb: number; readonly cpu: number; readonly output: string }

/** With `killAt` the run is killed once it has read so many rows of the kind, as `users: 50000`. */
async function run(killAt: string | undefined): Promise<Ended> {
  const env = {
    ...PROCESS_ENV,
    DATABASE_URL: postgres.url,
    REDIS_URL: 'redis://127.0.0.1:1',
    KEY_CHANNELS: KEY,
    KEY_OPTIONS: KEY,
    INTERNAL_SECRETS: 'ab'.repeat(32),
    SHARDS: '64',
  }
  const args = ['--from', source.urlOf(DATABASE), '--logs', '90000d', '--report', join(folder, 'report.json')]
  const child = spawn(process.execPath, [SCRIPT, ...args], { env })
  const [kind = '', rows = '0'] = (killAt ?? '').split(': ')
  let output = ''
  const most = { peakMb: 0, cpu: 0 }
  const watch = setInterval(() => {
    const now = useOf(child.pid ?? 0)
    most.peakMb = Math.max(most.peakMb, now.peakMb)
    most.cpu = Math.max(most.cpu, now.cpu)
  }, 200)
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const reached = [...output.matchAll(new RegExp(`${kind}: (\\d+) of`, 'g'))].some(([, read]) => Number(read) >= Number(rows))
      if (killAt !== undefined && reached) child.kill('SIGKILL')
    })
  await once(child, 'close')
  clearInterval(watch)
  return { code: child.exitCode, ...most, output }
}

/** The most resident memory that a process has had, in MB, and its CPU so far, in seconds. */
function useOf(pid: number): { readonly peakMb: number; readonly cpu: number } {
  try {
    const [, resident = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return { peakMb: Math.round(Number(resident) / 1024), cpu: Math.round((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) }
  } catch {
    // It has ended.
    return { peakMb: 0, cpu: 0 }
  }
}
