import { z } from 'zod'
import { visible } from '@tollgate/telemetry/visible'
import { fail, log } from './log.ts'

const LogLine = z.object({
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
  msg: z.string().default(''),
  url: z.string().optional(),
  detail: z.string().optional(),
  reason: z.string().optional(),
  err: z.object({ message: z.string() }).optional(),
})

/** Output of the launcher about its parts. */
export type Terminal = {
  /** Prints the lines of a service's log that belong on the terminal: warnings, errors and the set-up address. */
  showServiceLine(service: string, line: string): void
  /** Prints the set-up address: until all services are ready, it cannot be opened. */
  ready(): void
  /** The same without the set-up address, for a demo, which sets itself up. */
  showProblem(service: string, line: string): void
  /** Prints that a store is away; what services say about it stays in their logs. */
  storeAway(store: string, line: string): void
  storeBack(store: string, line: string): void
}

/** A service repeats a warning with every call that fails, so the same warning is printed once in this time. */
const REPEAT_MS = 60_000
/** Services still report calls that failed for this time after a store came back. */
const SETTLE_MS = 15_000

export function createTerminal(now: () => number = Date.now): Terminal {
  const away = new Set<string>()
  const shownAt = new Map<string, number>()
  let settledAt = 0
  let isReady = false
  let setUpLine: string | undefined

  const isFirst = (key: string): boolean => {
    const at = shownAt.get(key)
    if (at !== undefined && now() - at < REPEAT_MS) return false
    for (const [other, since] of shownAt) if (now() - since >= REPEAT_MS) shownAt.delete(other)
    shownAt.set(key, now())
    return true
  }

  const showProblem = (service: string, line: string): void => {
    if (!line.startsWith('{')) {
      // The supervisor prints a summary of a crash, so its stack is skipped.
      if (line.startsWith('Tollgate') || line.startsWith('setup')) log(visible(line))
      return
    }
    const problem = problemOf(line)
    if (problem === undefined || away.size > 0 || now() < settledAt) return
    if (isFirst(`${service} ${problem.msg}`)) fail(`${service} ${problem.text}`)
  }

  return {
    showProblem,
    showServiceLine: (service, line) => {
      const parsed = LogLine.safeParse(parseJson(line))
      // The operator needs the address of the first set-up with its code.
      if (parsed.success && parsed.data.url?.includes('/setup?code=') === true) {
        setUpLine = `${visible(parsed.data.msg)}: ${visible(parsed.data.url)}`
        if (isReady) log(setUpLine)
      }
      showProblem(service, line)
    },
    ready: () => {
      isReady = true
      if (setUpLine !== undefined) log(setUpLine)
    },
    storeAway: (store, line) => {
      away.add(store)
      fail(line)
    },
    storeBack: (store, line) => {
      away.delete(store)
      settledAt = now() + SETTLE_MS
      fail(line)
    },
  }
}

function problemOf(line: string): { msg: string; text: string } | undefined {
  const parsed = LogLine.safeParse(parseJson(line))
  if (!parsed.success || !['warn', 'error', 'fatal'].includes(parsed.data.level)) return undefined
  const { level, msg, detail, reason, err } = parsed.data
  const why = [reason, detail, err?.message].filter((part) => part !== undefined && part !== '').join(', ')
  return { msg, text: `${level}: ${visible(msg)}${why === '' ? '' : ` (${visible(why)})`}` }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line truncated by a crash.
    return undefined
  }
}
