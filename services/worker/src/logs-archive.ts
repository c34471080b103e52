import { toLine } from '@tollgate/telemetry/error-line'
import { parseArgs } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { LogsArchiveEnv, parseEnv } from '@tollgate/config/env'
import { ArchiveMonth } from '@tollgate/contracts/values/log-archive'
import { connectDb, type Db } from '@tollgate/db/connect'
import {
  bytesOf,
  findLogArchive,
  listLogArchives,
  orderArchive,
  orderRestore,
  sumParts,
  type LogArchive,
} from '@tollgate/db/queries/logs/log-archives'
import { openLogStore } from '@tollgate/log-store/open'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { findArchivedRequest, partsOfRequest } from './archive/find-request.ts'
import { createLogArchiver } from './archive/log-archive.ts'
import { readManifest } from './archive/read-part.ts'
import { createMediaStore, type MediaStore } from './media/media-store.ts'

/**
 * `node services/worker/src/logs-archive.ts [--month 2026-08 | --restore 2026-08 | --find REQUEST_ID]`: moves a month of the log to the
 * object store of MEDIA_STORE_URL, or back, or looks for a request in it; without an option it lists what is there. docs/guides/archive.md
 */
const OPTIONS = { month: { type: 'string' }, restore: { type: 'string' }, find: { type: 'string' } } as const
const LOOK_EVERY_MS = 1000
/** Who ordered it. */
const BY = 'logs:archive'

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`logs:archive: ${toLine(error)}\n`)
  process.exitCode = 1
}

async function run(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS })
  if (Object.keys(values).length > 1) throw new Error('use one of --month, --restore and --find')
  const env = parseEnv(LogsArchiveEnv)
  const db = connectDb({ url: env.DATABASE_URL, max: 2, name: 'tollgate-logs-archive', limits: STATEMENT_LIMITS.batch })
  if ((await openLogStore({ url: env.LOG_STORE_URL, db, now: Date.now })) !== undefined) {
    throw new Error('The rows of the log are in a log store, which is archived by its own means')
  }
  const store = createMediaStore(env)
  try {
    if (Object.keys(values).length === 0) return await printList(db)
    if (store === undefined) throw new Error('no object store is configured: set MEDIA_STORE_URL and the other MEDIA_STORE_ variables')
    if (values.find !== undefined) return await printFound({ db, store }, values.find)
    if (values.restore !== undefined) return await restore({ db, store }, monthFrom(values.restore))
    return await archive({ db, store }, monthFrom(values.month ?? ''))
  } finally {
    store?.close()
    await db.destroy()
  }
}

type Stores = { readonly db: Db; readonly store: MediaStore }

function monthFrom(text: string): string {
  const parsed = ArchiveMonth.safeParse(text)
  if (!parsed.success) throw new Error(`a month is written like 2026-08, not ${JSON.stringify(text)}`)
  return parsed.data
}

async function printList(db: Db): Promise<number> {
  const archives = await listLogArchives(db)
  if (archives.length === 0) print('no month of the log is archived')
  for (const archive of archives) print(`${archive.month}  ${archive.state.padEnd(9)}  ${describe(archive)}`)
  return 0
}

function describe({ state, parts, restored_parts, error }: LogArchive): string {
  const back = state === 'restoring' ? `, ${restored_parts} of them back` : ''
  return `${sumParts(parts).rows} rows in ${parts.length} objects, ${(bytesOf(parts) / 1e6).toFixed(1)} MB${back}${error === '' ? '' : `  (${error})`}`
}

async function printFound({ db, store }: Stores, requestId: string): Promise<number> {
  const signal = new AbortController().signal
  const parts = partsOfRequest(await listLogArchives(db), requestId)
  let found = 0
  for await (const line of findArchivedRequest({ store, parts, requestId, signal, onPart: ({ key }) => note(`reading ${key} …`) })) {
    found += 1
    print(line)
  }
  if (found === 0) note('no archived row has this request id')
  return found === 0 ? 1 : 0
}

async function archive(stores: Stores, month: string): Promise<number> {
  await orderArchive(stores.db, { month, requested_by: BY, now: nowSeconds() })
  return await follow(stores, month, 'archived')
}

/** A month that this database does not know is taken from its manifest. */
async function restore(stores: Stores, month: string): Promise<number> {
  const { db, store } = stores
  const order = { month, requested_by: BY, now: nowSeconds() }
  if ((await findLogArchive(db, month)) === undefined) {
    const manifest = await readManifest(store, month, new AbortController().signal)
    if (manifest === undefined) throw new Error(`${month} is not archived`)
    await orderRestore(db, order, manifest.parts)
  } else await orderRestore(db, order)
  return await follow(stores, month, 'restored')
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Does the order, or waits for the worker that does it. */
async function follow({ db, store }: Stores, month: string, end: LogArchive['state']): Promise<number> {
  const log = { info: () => undefined, warn: () => undefined }
  const archiver = createLogArchiver({ db, store, log, now: () => Date.now() })
  const stop = (): void => void archiver.stop()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let said = ''
  for (;;) {
    await archiver.work(month)
    const found = await findLogArchive(db, month)
    if (found === undefined) throw new Error(`${month} is gone from the list`)
    const line = `${month}: ${found.state}, ${describe(found)}`
    if (line !== said) print(line)
    said = line
    if (found.finished_at > 0) return found.state === end ? 0 : 1
    if (found.error !== '') return 1
    await wait(LOOK_EVERY_MS)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function note(line: string): void {
  process.stderr.write(`${line}\n`)
}
