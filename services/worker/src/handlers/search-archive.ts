import { ArchivedRow, type ArchiveSearchFault } from '@tollgate/contracts/values/log-archive'
import { listLogArchives } from '@tollgate/db/queries/logs/log-archives'
import type { Handler } from '@tollgate/jobs/jobs'
import { readArchiveSearch, saveArchiveSearch, type SearchRecord } from '@tollgate/redis/stores/archive-search'
import { findArchivedRequest, partsOfRequest } from '../archive/find-request.ts'
import type { Deps } from '../deps.ts'

type SearchDeps = Pick<Deps, 'db' | 'redis' | 'now'> & {
  readonly log: Pick<Deps['log'], 'warn'>
  readonly mediaStore: Pick<NonNullable<Deps['mediaStore']>, 'get'> | undefined
}

const SAVE_EVERY_MS = 1000
/** A request has a handful of rows. */
const MAX_FOUND = 50

/** Safe to run twice: reads only, and the second run begins its search again. */
export const searchArchive =
  (deps: SearchDeps): Handler<'search-archive'> =>
  async ({ id }, { signal }) => {
    const asked = await readArchiveSearch(deps.redis, id)
    if (asked === undefined) return { found: 0 }
    const replaced = new AbortController()
    let record: SearchRecord = { ...asked, state: 'reading', fault: null, objects_read: 0, found: [] }
    const save = async (change: Partial<SearchRecord> = {}): Promise<void> => {
      record = { ...record, ...change, at: deps.now() }
      if (!(await saveArchiveSearch(deps.redis, id, record))) replaced.abort()
    }
    // Redis is away for a moment: the next one tells.
    const saving = setInterval(() => void save().catch(() => undefined), SAVE_EVERY_MS)
    const stop = AbortSignal.any([signal, replaced.signal])
    const fail = (fault: ArchiveSearchFault): Promise<void> => save({ state: 'failed', fault })
    try {
      await read(deps, { asked: record, save, signal: stop })
      await save({ state: 'done' })
    } catch (err) {
      if (replaced.signal.aborted) return { found: 0 }
      if (!signal.aborted && deps.mediaStore !== undefined) deps.log.warn({ err }, 'The archive of the log could not be searched')
      await fail(signal.aborted ? 'stopped' : deps.mediaStore === undefined ? 'no-store' : 'unreadable')
    } finally {
      clearInterval(saving)
    }
    return { found: record.found.length }
  }

type Read = {
  readonly asked: SearchRecord
  readonly save: (change: Partial<SearchRecord>) => Promise<void>
  readonly signal: AbortSignal
}

/** Rows of other users are left out for a user who searches in own rows. */
async function read({ db, mediaStore: store }: SearchDeps, { asked, save, signal }: Read): Promise<void> {
  if (store === undefined) throw new Error('no object store is configured')
  const { request_id: requestId, rows, user_id } = asked
  const parts = partsOfRequest(await listLogArchives(db), requestId)
  await save({ objects: parts.length })
  const found: ArchivedRow[] = []
  for (const [at, part] of parts.entries()) {
    signal.throwIfAborted()
    for await (const line of findArchivedRequest({ store, parts: [part], requestId, signal })) {
      const row = ArchivedRow.parse(JSON.parse(line))
      if ((rows === 'all' || row.user_id === user_id) && found.length < MAX_FOUND) found.push(row)
    }
    await save({ objects_read: at + 1, found: [...found] })
  }
}
