import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Quote } from '@tollgate/contracts/pricing/quote'
import { withFacts, type LogFacts } from '@tollgate/db/logged-event'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { listOpenHolds } from '@tollgate/ledger/client/hold-store'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { sql } from 'kysely'
import { auditDocuments } from './audit-documents.ts'
import type { Findings } from './findings.ts'
import type { Secrets } from './secrets.ts'
import type { Target } from './target.ts'

export type Audit = {
  readonly rows: number
  readonly charged: number
  readonly documents: Omit<Awaited<ReturnType<typeof auditDocuments>>, 'problems'>
  readonly verification: string
}

type Add = (text: string, repro?: string) => void

const IDLE_MS = 40_000
const PAGE = 10_000

/** Checks what a run left behind: holds, events, wallets, charges, the ledger's own verification, logs and crashes. */
export async function auditTarget(target: Target, { findings, secrets }: { findings: Findings; secrets: Secrets }): Promise<Audit> {
  const add: Add = (text, repro) => findings.add(text, { part: 'audit', ...(repro === undefined ? {} : { repro }) })
  const redis = connectRedis(target.redisUrl, 'plain')
  try {
    const { holds, unposted } = await waitUntilIdle(target, redis)
    for (const hold of holds) add(`open hold: ${hold}`)
    if (unposted > 0) add(`${unposted} events are not posted`)
    const rejects = await target.db.selectFrom('posting_rejects').selectAll().limit(3).execute()
    for (const reject of rejects) add(`rejected event: ${JSON.stringify(reject).slice(0, 300)}`)
    const charges = await auditCharges(target, add)
    const { problems, ...documents } = await auditDocuments(target, secrets)
    for (const problem of problems) add(problem)
    const { isSound, text } = await verify(target)
    if (!isSound) add(`verify:ledger fails:\n${text}`)
    await auditLogs(target, secrets, add)
    for (const { name, crashes } of target.processes) if (crashes() > 0) add(`${name} crashed ${crashes()} times`)
    return { ...charges, documents, verification: text }
  } finally {
    redis.disconnect()
  }
}

async function waitUntilIdle(target: Target, redis: Redis): Promise<{ readonly holds: readonly string[]; readonly unposted: number }> {
  const deadline = Date.now() + IDLE_MS
  for (;;) {
    const holds: string[] = []
    let unposted = 0
    for (const { shard, last_n } of await target.db
      .selectFrom('posting_cursors')
      .select(['shard', 'last_n'])
      .where('shard', '<', target.shards)
      .execute()) {
      for (const { request_id } of await listOpenHolds(redis, shard)) {
        const event = await redis.hget(keys.pendingEvents(shard), request_id)
        holds.push(`${request_id} ${(event ?? '').slice(0, 4000).replace(/"quote":.*?"rest/, '"rest')}`)
      }
      unposted += Math.abs(Number((await redis.hget(keys.fence(shard), 'n')) ?? 0) - last_n)
    }
    if ((holds.length === 0 && unposted === 0) || Date.now() > deadline) return { holds, unposted }
    await wait(250)
  }
}

type Row = {
  readonly id: string
  readonly user_id: number
  readonly quota: string
  readonly state: string
  readonly type: number
  readonly quote: LogFacts['quote']
  readonly usage: LogFacts['usage']
  readonly explanation: LogFacts['explanation']
  readonly event: Buffer | null
}

/** Every charge is at least 0 and equal to its price; no wallet is below zero by more than its charges above their holds. */
async function auditCharges({ db }: Target, add: Add): Promise<{ rows: number; charged: number }> {
  const above = new Map<number, number>()
  let after = '0'
  let rows = 0
  let charged = 0
  for (;;) {
    const page = await sql<Row>`select id::text, type, user_id, quota::text, state, quote, usage, explanation, event
      from logs where id > ${after}::bigint and state <> '' order by id limit ${PAGE}`.execute(db)
    for (const row of page.rows.map(withFacts)) {
      after = row.id
      rows += 1
      const quota = Number(row.quota)
      charged += quota
      if (row.state !== 'late' && (quota < 0 || !Number.isSafeInteger(quota))) add(`a charge of ${row.quota}: row ${row.id}`)
      above.set(row.user_id, (above.get(row.user_id) ?? 0) + Math.max(0, quota - (row.explanation?.wallet_held ?? 0)))
      const priced = priceOf(row)
      if (priced !== undefined && priced !== quota) add(`charged ${quota}, priced again ${priced}: row ${row.id}`)
    }
    if (page.rows.length < PAGE) break
  }
  const wallets = await sql<{ id: number; credited: string; spent: string }>`select id, credited::text, spent::text from users`.execute(db)
  for (const { id, credited, spent } of wallets.rows) {
    const below = Number(spent) - Number(credited)
    if (below > (above.get(id) ?? 0))
      add(`wallet of user ${id} is ${below} below zero, its charges above their holds are ${above.get(id) ?? 0}`)
  }
  return { rows, charged }
}

function priceOf({ quote, usage, state }: Omit<Row, 'event'>): number | undefined {
  if (quote === null || usage === null || state === 'late') return undefined
  if (state === 'released') return 0
  // Stored by the posting, which has validated it.
  return quotaOf(Quote.parse(quote), usage as Parameters<typeof quotaOf>[1])
}

function verify({ env }: Target): Promise<{ readonly isSound: boolean; readonly text: string }> {
  const script = join(import.meta.dirname, '../../services/worker/src/verify-ledger.ts')
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { ...env } }, (error, stdout, stderr) =>
      resolve({ isSound: error === null, text: stdout + stderr }),
    )
  })
}

const FAILED = /^\{"level":"(?:error|fatal)"/

/** Errors need an operator, and no input may cause one; a line that is not JSON is the trace of a crash. */
async function auditLogs({ processes }: Target, secrets: Secrets, add: Add): Promise<void> {
  for (const { name, readLog } of processes) {
    const lines = (await readLog()).split('\n')
    for (const [at, line] of lines.entries()) {
      // The kept part of a log may begin inside a line.
      if (line === '' || (at === 0 && !line.startsWith('{'))) continue
      if (FAILED.test(line)) add(`${name} logged: ${messageOf(line)}`, line.slice(0, 1500))
      else if (!line.startsWith('{')) add(`${name} printed: ${line.slice(0, 300)}`)
      const leaked = secrets.find(line)
      if (leaked !== undefined) add(`${name} logged a secret: ${leaked}: ${line.slice(0, 300)}`)
    }
  }
}

/** Message and error, without ids and times, so that lines of one kind count as one. */
function messageOf(line: string): string {
  const { msg, err } = JSON.parse(line) as { msg?: unknown; err?: { type?: unknown; message?: unknown } } // a line of our logger is an object
  return `${String(msg)}: ${String(err?.type)} ${String(err?.message)}`
}
