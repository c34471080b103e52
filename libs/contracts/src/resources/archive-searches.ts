import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ArchiveSearchFault, ArchiveSearchState } from '../values/log-archive.ts'
import { LogExplanation } from './logs.ts'

/** The latest search of the archive that the caller began, for one request id. */
export const ArchiveSearch = z.object({
  request_id: z.string(),
  state: ArchiveSearchState,
  /** Why it failed; null: it did not. */
  fault: ArchiveSearchFault.nullable(),
  /** Objects of the time of the request, and how many of them were read. */
  objects: z.int(),
  objects_read: z.int(),
  /** Entries found so far, the oldest first. */
  found: z.array(LogExplanation),
})
export type ArchiveSearch = z.infer<typeof ArchiveSearch>

const Body = z.object({ request_id: z.string().max(100) })

export const archiveSearches = {
  start: endpoint({
    method: 'POST',
    path: '/api/log/archives/search',
    load: 'heavy',
    access: 'admin',
    summary: 'Looks for a request id in the archive in the background, instead of an earlier search (ours)',
    body: Body,
    data: ArchiveSearch,
  }),
  startOwn: endpoint({
    method: 'POST',
    path: '/api/log/self/archives/search',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Looks for an own request in the archive in the background, instead of an earlier search (ours)',
    body: Body,
    data: ArchiveSearch,
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/log/archives/search',
    access: 'admin',
    summary: 'Cancels the search of the archive that the caller began, if it is under way; null: none of the last half hour (ours)',
    data: ArchiveSearch.nullable(),
  }),
  cancelOwn: endpoint({
    method: 'DELETE',
    path: '/api/log/self/archives/search',
    access: 'user',
    right: 'usage.read',
    summary: 'Cancels the search for an own request in the archive, if it is under way; null: none of the last half hour (ours)',
    data: ArchiveSearch.nullable(),
  }),
  latest: endpoint({
    method: 'GET',
    path: '/api/log/archives/search',
    access: 'admin',
    summary: 'The latest search of the archive that the caller began, with its progress; null: none of the last half hour (ours)',
    data: ArchiveSearch.nullable(),
  }),
  latestOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/archives/search',
    access: 'user',
    right: 'usage.read',
    summary: 'The latest search for an own request in the archive, without channels; null: none of the last half hour (ours)',
    data: ArchiveSearch.nullable(),
  }),
}
