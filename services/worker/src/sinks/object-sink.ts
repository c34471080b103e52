import { pipeline, Readable } from 'node:stream'
import { createZstdCompress } from 'node:zlib'
import { unsealOption } from '@tollgate/config/sealing'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import { createOptionReader } from '@tollgate/db/option-reader'
import {
  claimObjectBatches,
  extendObjectLease,
  listFedRows,
  removeFedBatches,
  setObjectSink,
  type FedBatch,
} from '@tollgate/db/queries/logs/request-feed'
import type { Deps } from '../deps.ts'
import type { MediaStore } from '../media/media-store.ts'
import { toPostedRequest } from './posted-request.ts'

type SinkDeps = Pick<Deps, 'db' | 'secrets' | 'now'> & {
  readonly log: Pick<Deps['log'], 'info' | 'warn'>
  readonly store: MediaStore | undefined
  readonly prefix: string
  /** Batches of one object; the hour that runs gets an object of its own for as many. */
  readonly batchesPerObject?: number
}

export type ObjectSink = {
  /** Makes posting feed the sink, or stop if there is none. */
  start(): Promise<void>
  /** Writes what is due, unless it is writing. */
  tick(): Promise<void>
  /** Breaks off; what is not written stays in the feed. */
  stop(): Promise<void>
}

const BATCHES_PER_OBJECT = 2000
const LEASE_MS = 10 * 60_000
const EXTEND_EVERY = 50
const RETRY_MS = 30_000
/** After the end of an hour, until the last of its requests are posted. */
const GRACE_S = 60

/**
 * Writes one JSON line per posted request to objects of an hour. A batch leaves the feed after its object is stored, so a worker that dies
 * writes it again: each request arrives at least once. Rows are read while they are sent, so the memory of an object does not depend on its
 * size.
 */
export function createObjectSink(deps: SinkDeps): ObjectSink {
  const { db, store } = deps
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  return {
    start: () => setObjectSink(db, { isOn: store !== undefined, now: Math.floor(deps.now() / 1000) }),
    tick: async () => {
      if (store === undefined || running !== undefined || stopping.signal.aborted) return
      running = writeDue(deps, store, stopping.signal).finally(() => (running = undefined))
      await running
    },
    stop: async () => {
      stopping.abort()
      await running?.catch(() => undefined)
      store?.close()
    },
  }
}

async function writeDue(deps: SinkDeps, store: MediaStore, signal: AbortSignal): Promise<void> {
  const { db, now, batchesPerObject: limit = BATCHES_PER_OBJECT } = deps
  while (!signal.aborted) {
    const openHour = Math.floor((now() / 1000 - GRACE_S) / HOUR_SECONDS)
    const batches = await claimObjectBatches(db, { openHour, limit, now: now(), lease_ms: LEASE_MS })
    if (batches.length === 0 || !(await writeObject(deps, { store, batches, signal }))) return
  }
}

type Write = { readonly store: MediaStore; readonly batches: readonly FedBatch[]; readonly signal: AbortSignal }

/** Stores an object and takes its batches from the feed; false: it is tried again later. */
async function writeObject(deps: SinkDeps, { store, batches, signal }: Write): Promise<boolean> {
  const { db, log, now } = deps
  const ids = batches.map(({ id }) => id)
  const key = keyOf(deps.prefix, batches)
  try {
    const quota_per_unit = await createOptionReader(db, unsealOption(deps.secrets)).get('QuotaPerUnit')
    const body = createZstdCompress()
    // A failed read ends the upload through the stream.
    pipeline(Readable.from(readLines(deps, { batches, ids, quota_per_unit })), body, () => undefined)
    await store.put(key, { body, type: 'application/zstd' }, signal)
    await removeFedBatches(db, ids)
    log.info({ object: key, count: batches.length }, 'Requests written to the object store')
    return true
  } catch (err) {
    log.warn({ err, object: key }, 'Requests are written to the object store later')
    await extendObjectLease(db, ids, now() + (signal.aborted ? 0 : RETRY_MS))
    return false
  }
}

type Read = { readonly batches: readonly FedBatch[]; readonly ids: readonly number[]; readonly quota_per_unit: number }

async function* readLines({ db, now }: Pick<SinkDeps, 'db' | 'now'>, { batches, ids, quota_per_unit }: Read): AsyncGenerator<string> {
  for (const [nth, batch] of batches.entries()) {
    if (nth % EXTEND_EVERY === EXTEND_EVERY - 1) await extendObjectLease(db, ids, now() + LEASE_MS)
    for (const row of await listFedRows(db, batch)) yield `${JSON.stringify(toPostedRequest(row, quota_per_unit))}\n`
  }
}

/** Like `requests/2026/11/28/23/17-42.jsonl.zst`: the hour in UTC, and the batches. A repeated write of the same batches replaces the first. */
function keyOf(prefix: string, batches: readonly FedBatch[]): string {
  const [first] = batches
  const hour = new Date((first?.hour ?? 0) * HOUR_SECONDS * 1000).toISOString().slice(0, 13).replaceAll(/[-T]/g, '/')
  return `${prefix}${hour}/${first?.id}-${batches.at(-1)?.id}.jsonl.zst`
}
