import { z } from 'zod'
import { visible } from '@tollgate/telemetry/visible'
import { complain, say } from './say.ts'

const LogLine = z.object({
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
  msg: z.string().default(''),
  url: z.string().optional(),
  detail: z.string().optional(),
  reason: z.string().optional(),
  err: z.object({ message: z.string() }).optional(),
})

/** What of a service's log a person at the terminal should see: its warnings, and plain lines that are meant for people. */
export function showServiceLine(service: string, line: string): void {
  if (!line.startsWith('{')) {
    // Crashes print stacks; their summary comes from the supervisor.
    if (line.startsWith('Tollgate') || line.startsWith('setup')) say(visible(line))
    return
  }
  const parsed = LogLine.safeParse(parseJson(line))
  // The address of the first set-up with its code: the one line of news an operator has to see.
  if (parsed.success && parsed.data.url?.includes('/setup?code=') === true) say(`${visible(parsed.data.msg)}: ${visible(parsed.data.url)}`)
  if (!parsed.success || !['warn', 'error', 'fatal'].includes(parsed.data.level)) return
  const { level, msg, detail, reason, err } = parsed.data
  const why = [reason, detail, err?.message].filter((part) => part !== undefined && part !== '').join(', ')
  complain(`${service} ${level}: ${visible(msg)}${why === '' ? '' : ` (${visible(why)})`}`)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line cut by a crash: not worth showing.
    return undefined
  }
}
