import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { ArchivePart } from '@tollgate/contracts/values/log-archive'
import { withFacts, type LogFacts } from '@tollgate/db/logged-event'
import type { LogArchive } from '@tollgate/db/queries/logs/log-archives'
import type { MediaStore } from '../media/media-store.ts'
import { readPartLines } from './read-part.ts'

/** A request is posted after it began: within a day, or days later with its batch. */
const POSTED_WITHIN_S = 8 * DAY_SECONDS

type Find = {
  readonly store: Pick<MediaStore, 'get'>
  readonly archives: readonly LogArchive[]
  readonly requestId: string
  readonly signal: AbortSignal
  readonly onPart?: (part: ArchivePart) => void
}

/**
 * Archived rows of a request as JSON, with what their event says instead of the event. An id that begins with its time is looked for only
 * in the objects of that time.
 */
export async function* findArchivedRequest({ store, archives, requestId, signal, onPart }: Find): AsyncGenerator<string> {
  const began = timeOf(requestId)
  const isNear = ({ first, last }: ArchivePart): boolean =>
    began === undefined || (last.created_at >= began - HOUR_SECONDS && first.created_at <= began + POSTED_WITHIN_S)
  const parts = archives.filter(({ state }) => state === 'archived').flatMap((archive) => archive.parts.filter(isNear))
  const needle = JSON.stringify(requestId)
  for (const part of parts) {
    onPart?.(part)
    for await (const line of readPartLines(store, part, signal)) {
      const row = line.includes(needle) ? rowOf(line, requestId) : undefined
      if (row !== undefined) yield row
    }
  }
}

type ArchivedRow = LogFacts & { readonly request_id: string; readonly type: number; readonly event?: string | null }

/** The needle may also be in another column. */
function rowOf(line: string, requestId: string): string | undefined {
  const { event = null, ...row } = JSON.parse(line) as ArchivedRow // Postgres wrote it
  if (row.request_id !== requestId) return undefined
  return event === null ? line : JSON.stringify(withFacts({ ...row, event: bytesOf(event) }))
}

/** Postgres' hexadecimal text, which begins with a backslash and x. */
const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

/** Ids begin with the time at which a request came, like 20261129101500; undefined: this one does not. */
function timeOf(requestId: string): UnixSeconds | undefined {
  const found = /^(2\d{3})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(requestId)
  if (found === null) return undefined
  const [year = 0, month = 0, ...rest] = found.slice(1).map(Number)
  const [day = 0, hour = 0, minute = 0, second = 0] = rest
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}
