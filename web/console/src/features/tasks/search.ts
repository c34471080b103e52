import { asCount, asPage, asText, searchReader } from '../../ui/list/search.ts'

/** Reads the address of both task lists. Times are seconds; `open` is the row whose record is shown. */
export const parseTaskSearch = searchReader({
  task_id: asText,
  channel: asCount,
  start: asCount,
  end: asCount,
  page: asPage,
  open: asCount,
})
export type TaskSearch = ReturnType<typeof parseTaskSearch>

/** In seconds. */
export type TaskRange = { readonly start: number; readonly end: number }

const HOUR = 3_600
const DAY = 86_400
const MINUTE_MS = 60_000

/** Thirty days ago to one hour ahead, to the minute, so that the range stays the same while the page is open. */
export function drawingRange(now: Date): TaskRange {
  const seconds = minuteOf(now)
  return { start: seconds - 30 * DAY, end: seconds + HOUR }
}

/** Today 00:00 to one hour ahead. */
export function taskRange(now: Date): TaskRange {
  return { start: Math.floor(new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1_000), end: minuteOf(now) + HOUR }
}

/** The chosen bounds, else the default ones. A task that is asked for by its id is found whenever it was. */
export function rangeOf(search: TaskSearch, byDefault: TaskRange): TaskRange {
  const open = search.task_id === undefined ? byDefault : { start: 0, end: 0 }
  return { start: search.start ?? open.start, end: search.end ?? open.end }
}

const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE_MS) * (MINUTE_MS / 1_000)
