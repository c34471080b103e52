import type { Millis, UnixMillis, UnixSeconds } from '@tollgate/contracts/units'

/** `YYYY-MM-DD HH:mm:ss` in the reader's time zone (specification A section 9). */
export function timeText(time: UnixSeconds): string {
  return stamp(new Date(time * 1_000))
}

/** As `timeText`, with milliseconds: for the explanation of one request. */
export function exactTimeText(time: UnixMillis): string {
  const date = new Date(time)
  return `${stamp(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Reads what `timeText` writes (also with `T`, also without seconds); `undefined` when it is no time. */
export function parseTimeText(text: string): UnixSeconds | undefined {
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim())
  if (found === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map((part) => Number(part ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  // 2026-02-31 would quietly become March: only what survives unchanged is a time.
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && date.getHours() === hour && minute < 60 && second < 60
  return isReal ? Math.floor(date.getTime() / 1_000) : undefined
}

/** A duration for people: `0.4 ms`, `850 ms`, `1.24 s`, `12.4 s`, `3 m 05 s`, `2 h 10 m`. */
export function durationText(ms: Millis): string {
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9_995) return `${(ms / 1_000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${pad(seconds % 60)} s`
  return `${Math.floor(seconds / 3_600)} h ${pad(Math.floor((seconds % 3_600) / 60))} m`
}

/** A duration that is known in whole seconds only: `<1 s`, `12 s`, then as `durationText`. */
export function secondsText(seconds: number): string {
  if (seconds <= 0) return '<1 s'
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1_000)
}

function stamp(date: Date): string {
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':')}`
}

function pad(part: number): string {
  return String(part).padStart(2, '0')
}
