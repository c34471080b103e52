import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { ArchiveManifest, LogPosition } from '@tollgate/contracts/values/log-archive'
import { limitLockWait } from '@tollgate/db/lock-timeout'
import { isLockTimeout } from '@tollgate/db/refused-lock'
import {
  addArchivePart,
  addRestoredLines,
  attachRestoredMonth,
  claimArchive,
  countRestoredPart,
  createRestoreTable,
  dropLogMonth,
  findOldestLog,
  finishArchive,
  listLogArchives,
  orderArchive,
  releaseArchive,
  removeArchiveParts,
  requireLogPartition,
  sumParts,
  type LogArchive,
} from '@tollgate/db/queries/logs/log-archives'
import { withStatements } from '@tollgate/db/statement-limits'
import { toLine } from '@tollgate/telemetry/error-line'
import { Readable } from 'node:stream'
import type { Deps } from '../deps.ts'
import { getOption } from '../channels/incidents.ts'
import type { MediaStore } from '../media/media-store.ts'
import { isClosed, monthOf, monthsBefore, monthsBetween, partitionOf } from '@tollgate/db/queries/logs/log-months'
import { folderOf, manifestKey, readPartLines } from './read-part.ts'
import { writePart } from './write-part.ts'

type ArchiveDeps = Pick<Deps, 'db' | 'now'> & {
  readonly log: Pick<Deps['log'], 'info' | 'warn'>
  /** Absent: orders wait, and say so. */
  readonly store: MediaStore | undefined
  /** The most rows of one object. */
  readonly rowsPerPart?: number
}

export type LogArchiver = {
  /** Orders the months that LogArchiveMonths names, and does what is ordered. */
  tick(): Promise<void>
  /** Does the order of one month, unless another process has it. */
  work(month: string): Promise<void>
  /** Breaks off; the next run continues. */
  stop(): Promise<void>
}

const ROWS_PER_PART = 100_000
const ROWS_AT_ONCE = 1000
const LEASE_S = 15 * 60
const RETRY_S = 5 * 60
/** Posting waits behind a statement that waits for all of the log. */
const LOCK_WAIT_MS = 2000
const NO_STORE = 'no object store is configured: set MEDIA_STORE_URL for the workers'

/**
 * Moves closed months of the log to the object store, and back. Every object is read back before its rows count as archived, and rows leave
 * Postgres in one transaction that finds the same number, charge and ids as the objects have. ADR 130.
 */
export function createLogArchiver(deps: ArchiveDeps): LogArchiver {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const once = async (work: () => Promise<void>): Promise<void> => {
    if (running !== undefined || stopping.signal.aborted) return
    running = work().finally(() => (running = undefined))
    await running
  }
  return {
    tick: () =>
      once(async () => {
        await orderDue(deps)
        while (await workOnce(deps, stopping.signal));
      }),
    work: (month) => once(async () => void (await workOnce(deps, stopping.signal, month))),
    stop: async () => {
      stopping.abort()
      await running?.catch(() => undefined)
    },
  }
}

/** Orders every closed month that is older than the months to keep. */
async function orderDue({ db, now, store }: ArchiveDeps): Promise<void> {
  const kept = await getOption({ db }, 'LogArchiveMonths')
  if (kept === 0 || store === undefined) return
  const seconds = Math.floor(now() / 1000)
  const oldest = await findOldestLog(db)
  if (oldest === undefined) return
  const known = new Set((await listLogArchives(db)).map(({ month }) => month))
  for (const month of monthsBetween(monthOf(oldest), monthsBefore(seconds, kept))) {
    if (!known.has(month) && isClosed(month, seconds)) await orderArchive(db, { month, requested_by: '', now: seconds })
  }
}

/** Does one order, or a part of it; false: there is nothing to do now. */
async function workOnce(deps: ArchiveDeps, signal: AbortSignal, month?: string): Promise<boolean> {
  const { db, log, store } = deps
  if (signal.aborted) return false
  const order = await claimArchive(db, { now: at(deps), until: at(deps, LEASE_S), ...(month === undefined ? {} : { month }) })
  if (order === undefined) return false
  try {
    if (store === undefined) throw new Error(NO_STORE)
    if (order.state === 'writing') await archiveMonth(deps, { order, store, signal })
    else await restoreMonth(deps, { order, store, signal })
    return true
  } catch (err) {
    const isAsked = signal.aborted
    if (!isAsked) log.warn({ err, object: folderOf(order.month) }, 'A month of the log is archived or restored later')
    const error = isLockTimeout(err) ? 'the log was read all the time' : toLine(err)
    await releaseArchive(db, { month: order.month, until: at(deps, isAsked ? 0 : RETRY_S), error: isAsked ? '' : error })
    return !isAsked && month === undefined
  }
}

const at = ({ now }: Pick<ArchiveDeps, 'now'>, ahead = 0): UnixSeconds => Math.floor(now() / 1000) + ahead

type Work = { readonly order: LogArchive; readonly store: MediaStore; readonly signal: AbortSignal }

async function archiveMonth(deps: ArchiveDeps, { order, store, signal }: Work): Promise<void> {
  const { db, log } = deps
  const { month } = order
  const partition = partitionOf(month)
  if (!isClosed(month, at(deps))) throw new Error(`${month} has not ended, or ended less than ${DAY_SECONDS / 3600} hours ago`)
  await withStatements('long', () => requireLogPartition(db, partition))
  const parts = [...order.parts]
  for (;;) {
    signal.throwIfAborted()
    const after: LogPosition = parts.at(-1)?.last ?? { created_at: partition.from - 1, id: 0 }
    const key = `${folderOf(month)}${String(parts.length + 1).padStart(5, '0')}.jsonl.zst`
    const part = await writePart({ db, store, partition, key, after, limit: deps.rowsPerPart ?? ROWS_PER_PART, signal })
    if (part === undefined) break
    await addArchivePart(db, { month, part, until: at(deps, LEASE_S) })
    parts.push(part)
  }
  const sums = sumParts(parts)
  const manifest: ArchiveManifest = { format: 'tollgate-log-archive-1', month, ...sums, parts }
  const body = Readable.from([Buffer.from(`${JSON.stringify(manifest)}\n`)])
  await store.put(manifestKey(month), { body, type: 'application/json' }, signal)
  const isDropped = await withStatements('long', () =>
    db.transaction().execute(async (tx) => {
      await limitLockWait(tx, LOCK_WAIT_MS)
      if (!(await dropLogMonth(tx, partition, sums))) return false
      await finishArchive(tx, { month, state: 'archived', now: at(deps) })
      return true
    }),
  )
  if (!isDropped) {
    await removeArchiveParts(db, month)
    throw new Error(`the rows of ${month} changed while they were archived`)
  }
  log.info({ object: folderOf(month), count: sums.rows }, 'A month of the log is archived')
}

async function restoreMonth(deps: ArchiveDeps, { order, store, signal }: Work): Promise<void> {
  const { db, log } = deps
  const { month, parts } = order
  const partition = partitionOf(month)
  const restored = await db.transaction().execute((tx) => createRestoreTable(tx, month))
  for (let nth = restored; nth < parts.length; nth += 1) {
    const part = parts[nth]
    if (part === undefined) break
    signal.throwIfAborted()
    await withStatements('long', () =>
      db.transaction().execute(async (tx) => {
        const lines: string[] = []
        for await (const line of readPartLines(store, part, signal)) {
          lines.push(line)
          if (lines.length === ROWS_AT_ONCE) await addRestoredLines(tx, partition, lines.splice(0))
        }
        if (lines.length > 0) await addRestoredLines(tx, partition, lines)
        await countRestoredPart(tx, { month, nth, until: at(deps, LEASE_S) })
      }),
    )
  }
  const sums = sumParts(parts)
  await withStatements('long', () =>
    db.transaction().execute(async (tx) => {
      await limitLockWait(tx, LOCK_WAIT_MS)
      await attachRestoredMonth(tx, partition, sums)
      await finishArchive(tx, { month, state: 'restored', now: at(deps) })
    }),
  )
  log.info({ object: folderOf(month), count: sums.rows }, 'A month of the log is restored')
}
