import type { ArchivePart } from '@tollgate/contracts/values/log-archive'
import { withFacts, type LogFacts } from '@tollgate/db/logged-event'
import type { LogArchive } from '@tollgate/db/queries/logs/log-archives'
import { timeOfRequest } from '@tollgate/db/queries/logs/log-months'
import type { MediaStore } from '../media/media-store.ts'
import { findInPart } from './read-part.ts'

type Find = {
  readonly store: Pick<MediaStore, 'get'>
  readonly parts: readonly ArchivePart[]
  readonly requestId: string
  readonly signal: AbortSignal
  readonly onPart?: (part: ArchivePart) => void
}

/** Months whose rows are in the object store alone. */
const AWAY: ReadonlySet<LogArchive['state']> = new Set(['archived', 'restoring'])

/** The objects that may have rows of a request: those of its time, or all if its id begins with none. */
export function partsOfRequest(archives: readonly LogArchive[], requestId: string): ArchivePart[] {
  const time = timeOfRequest(requestId)
  const isNear = ({ first, last }: ArchivePart): boolean =>
    time === undefined || (last.created_at >= time.from && first.created_at <= time.to)
  return archives.filter(({ state }) => AWAY.has(state)).flatMap((archive) => archive.parts.filter(isNear))
}

/** Archived rows of a request as JSON, with what their event says instead of the event. */
export async function* findArchivedRequest({ store, parts, requestId, signal, onPart }: Find): AsyncGenerator<string> {
  const needle = JSON.stringify(requestId)
  for (const part of parts) {
    onPart?.(part)
    for await (const line of findInPart(store, part, { text: needle, signal })) {
      const row = rowOf(line, requestId)
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
