import { queryOptions } from '@tanstack/react-query'
import { LogType } from '@tollgate/contracts/enums'
import { logs, type Log } from '@tollgate/contracts/resources/logs'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { keyOf } from '../../../lib/api.ts'
import { nowInSeconds } from '../../../lib/expiry.ts'
import { newestRows } from '../api.ts'

const REQUESTS: ReadonlySet<number> = new Set([LogType.consume, LogType.error, LogType.refused])

/**
 * The newest requests of a token, answered or not, newest first. A day is more than any clock of a browser is wrong by, and little enough
 * for a quick answer.
 */
async function newestRequests(token: Token, signal: AbortSignal): Promise<readonly Log[]> {
  const rows = await newestRows(token, { type: 0, since: nowInSeconds() - DAY_SECONDS, signal })
  return rows.filter((row) => REQUESTS.has(row.type))
}

/** The row that a request has to be newer than to count as a test; 0: any. */
export const lastRowOf = (token: Token) =>
  queryOptions({
    queryKey: keyOf(logs.listOwn, 'last', token.id),
    queryFn: async ({ signal }) => (await newestRequests(token, signal))[0]?.id ?? 0,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  })

const FIRST_MS = 2_000
const LONGEST_MS = 10_000
const BACK_OFF = 1.2

/** Milliseconds before the next look, after a number of them. */
export const pauseAfter = (looks: number): number => Math.min(FIRST_MS * BACK_OFF ** looks, LONGEST_MS)

/** The first request of a token after a row, looked for until it is here; a hidden page does not look. */
export const arrivalOf = (token: Token, after: number) =>
  queryOptions({
    queryKey: keyOf(logs.listOwn, 'arrival', token.id, after),
    queryFn: async ({ signal }) => (await newestRequests(token, signal)).findLast((row) => row.id > after) ?? null,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => (data === undefined || data === null ? pauseAfter(dataUpdateCount) : false),
    meta: { quiet: true },
  })
