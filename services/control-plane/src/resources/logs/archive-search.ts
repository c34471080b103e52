import { randomUUID } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import type { ArchiveSearch } from '@tollgate/contracts/resources/archive-searches'
import { listMonthsAway } from '@tollgate/db/queries/logs/log-archives'
import { timeOfRequest } from '@tollgate/db/queries/logs/log-months'
import { nameChannels } from '@tollgate/db/queries/logs/stored-logs'
import type { Language } from '@tollgate/http/language'
import {
  cancelArchiveSearch,
  latestArchiveSearch,
  startArchiveSearch,
  type Searcher,
  type SearchRecord,
} from '@tollgate/redis/stores/archive-search'
import type { Deps } from '../../deps.ts'
import { explainRow } from './explain.ts'

/** Lets the worker look for a request in the archived months of its time. Ids that begin with no time would need all of them. */
export async function searchArchive(deps: Deps, requestId: string, searcher: Searcher, language: Language): Promise<ArchiveSearch> {
  const request_id = requestId.trim()
  const time = timeOfRequest(request_id)
  const months = time === undefined ? [] : await deps.db.transaction().execute((tx) => listMonthsAway(tx, time))
  if (months.length === 0) throw new AppError('logs.archive-search')
  const id = randomUUID()
  const record: SearchRecord = {
    ...searcher,
    request_id,
    state: 'waiting',
    fault: null,
    objects: 0,
    objects_read: 0,
    found: [],
    at: deps.now(),
  }
  await startArchiveSearch(deps.redis, id, record)
  await deps.jobs.enqueue('search-archive', { id })
  return await toSearch(deps, record, language)
}

/** The worker reads no further object. */
export async function cancelSearch(deps: Deps, searcher: Searcher, language: Language): Promise<ArchiveSearch | null> {
  await cancelArchiveSearch(deps.redis, randomUUID(), searcher, deps.now())
  return await latestSearch(deps, searcher, language)
}

export async function latestSearch(deps: Deps, searcher: Searcher, language: Language): Promise<ArchiveSearch | null> {
  const record = await latestArchiveSearch(deps.redis, searcher, deps.now())
  return record === undefined ? null : await toSearch(deps, record, language)
}

async function toSearch(deps: Deps, record: SearchRecord, language: Language): Promise<ArchiveSearch> {
  const { request_id, state, fault, objects, objects_read, rows, user_id } = record
  const owner = rows === 'own' ? user_id : undefined
  const readable = record.found.filter((row) => owner === undefined || row.user_id === owner)
  const named = await nameChannels(deps.db, readable)
  const found = await Promise.all(named.map((row) => explainRow(deps, row, { owner, language })))
  return { request_id, state, fault, objects, objects_read, found }
}
