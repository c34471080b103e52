import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadavg } from 'node:os'
import { createInterface } from 'node:readline'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { cpuMicros, familyOf } from '../bench/proc.ts'
import { readLine } from '../bench/processes.ts'
import { callsAt, type Call, type Who } from './calls.ts'
import { renderReport, type Measured, type Stored } from './report.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIMIT_MS = 300
const WARM = 1

const { values } = readCommandLine({
  command: 'npm run bench:lists --',
  about: `Measures lists and statistics of the control plane over large tables. Exit code 1: a p95 is above ${LIMIT_MS} ms.`,
  example: 'npm run bench:lists -- --rows 200000 --rounds 5 --no-write',
  options: {
    rows: { type: 'string', default: '10000000', about: 'log rows' },
    channels: { type: 'string', default: '5000', about: 'channels' },
    tokens: { type: 'string', default: '500000', about: 'tokens, and as many users without log rows' },
    rounds: { type: 'string', default: '40', about: 'times that each call is sent' },
    only: { type: 'string', default: '', about: 'pattern of the names of the calls that are sent' },
    'data-dir': { type: 'string', about: 'folder that keeps the database for the next run; without it a temporary one' },
    store: {
      type: 'string',
      default: 'postgres',
      about: 'postgres or clickhouse: where the log rows are; with clickhouse only calls of the log are sent',
    },
    out: { type: 'string', default: '', about: 'file of the report; docs/generated/lists.md, or lists-clickhouse.md' },
    'no-write': { type: 'boolean', default: false, about: 'write no report' },
  },
})

type Testbed = {
  readonly url: string
  readonly callers: Readonly<Record<Who, Record<string, string>>>
  readonly pids: readonly number[]
  readonly stored?: Stored
}

if (!['postgres', 'clickhouse'].includes(values.store)) throw new Error('--store takes postgres or clickhouse')
const hasLogStore = values.store === 'clickhouse'
const out = values.out === '' ? join(ROOT, 'docs/generated', hasLogStore ? 'lists-clickhouse.md' : 'lists.md') : values.out
const only = new RegExp(values.only === '' && hasLogStore ? '^log ' : values.only)
const kept = values['data-dir']
const data_dir = kept ?? join(await makeScratch(), 'postgres')
await mkdir(dirname(data_dir), { recursive: true })
const sizes = { rows: Number(values.rows), channels: Number(values.channels), tokens: Number(values.tokens) }
// Not pinned to a core: control plane and Postgres share the machine, as in a small installation.
const child = spawn(process.execPath, ['services/control-plane/test/serve-lists.ts'], {
  cwd: ROOT,
  stdio: ['pipe', 'pipe', 'inherit'],
})
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
child.stdin.write(`${JSON.stringify({ ...sizes, data_dir, keep: kept !== undefined, hasLogStore })}\n`)
const testbed = await readLine<Testbed>({ child, lines })
const measured: Measured[] = []
for (const call of callsAt(Math.floor(Date.now() / 1000)).filter(({ group, name }) => only.test(`${group}: ${name}`))) {
  const one = await measure(call, testbed)
  measured.push(one)
  const mark = one.p95 > LIMIT_MS ? '  TOO SLOW' : ''
  process.stdout.write(
    `${one.p50.toFixed(0).padStart(6)} ${one.p95.toFixed(0).padStart(6)} ${one.cpu.toFixed(1).padStart(7)}  ${call.group}: ${call.name}${mark}\n`,
  )
}
const ended = new Promise((resolve) => child.once('exit', resolve))
child.stdin.end()
await ended
const slow = measured.filter(({ p95 }) => p95 > LIMIT_MS)
if (!values['no-write'])
  await writeFile(
    out,
    renderReport({
      measured,
      ...sizes,
      rounds: Number(values.rounds),
      limit: LIMIT_MS,
      load: loadavg()[0] ?? 0,
      ...(testbed.stored === undefined ? {} : { stored: testbed.stored }),
    }),
  )
process.stdout.write(`${measured.length} calls, ${slow.length} with a p95 above ${LIMIT_MS} ms\n`)
process.exitCode = slow.length === 0 ? 0 : 1

/** Readable by others, because Postgres started by root runs as another user. */
async function makeScratch(): Promise<string> {
  const dir = await mkdtemp('/var/tmp/tollgate-lists-')
  await chmod(dir, 0o711)
  return dir
}

/** Sends the call sequentially: one user's response time. CPU is that of control plane, Postgres and log store together. */
async function measure(call: Call, { url, callers, pids }: Testbed): Promise<Measured> {
  const rounds = Number(values.rounds)
  const times: number[] = []
  for (let round = 0; round < WARM; round += 1) await timeCall(`${url}${call.path}`, callers[call.who])
  const before = new Map(pids.flatMap(familyOf).map((pid) => [pid, cpuOf(pid)]))
  for (let round = 0; round < rounds; round += 1) times.push(await timeCall(`${url}${call.path}`, callers[call.who]))
  const used = [...before].reduce((sum, [pid, start]) => sum + Math.max(0, cpuOf(pid) - start), 0)
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.ceil(share * times.length) - 1)] ?? 0
  return { call, p50: at(0.5), p95: at(0.95), max: at(1), cpu: used / 1000 / rounds }
}

/** 0 for a process that has exited, as background workers of Postgres do. */
function cpuOf(pid: number): number {
  try {
    return cpuMicros([pid])
  } catch {
    return 0
  }
}

async function timeCall(url: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  const took = performance.now() - began
  if (!answer.ok || !text.startsWith('{"success":true')) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`)
  return took
}
