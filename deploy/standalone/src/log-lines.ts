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

/** Prints the lines of a service's log that belong on the terminal: warnings, errors and the set-up address. */
export function showServiceLine(service: string, line: string): void {
  const parsed = LogLine.safeParse(parseJson(line))
  // The operator needs the address of the first set-up with its code.
  if (parsed.success && parsed.data.url?.includes('/setup?code=') === true) log(`${visible(parsed.data.msg)}: ${visible(parsed.data.url)}`)
  showProblem(service, line)
}

/** The same without the set-up address, for a demo, which sets itself up. */
export function showProblem(service: string, line: string): void {
  if (!line.startsWith('{')) {
    // The supervisor prints a summary of a crash, so its stack is skipped.
    if (line.startsWith('Tollgate') || line.startsWith('setup')) log(visible(line))
    return
  }
  const parsed = LogLine.safeParse(parseJson(line))
  if (!parsed.success || !['warn', 'error', 'fatal'].includes(parsed.data.level)) return
  const { level, msg, detail, reason, err } = parsed.data
  const why = [reason, detail, err?.message].filter((part) => part !== undefined && part !== '').join(', ')
  fail(`${service} ${level}: ${visible(msg)}${why === '' ? '' : ` (${visible(why)})`}`)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line truncated by a crash.
    return undefined
  }
}
