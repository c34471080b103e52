import { pino, type DestinationStream } from 'pino'
import type { LogFields } from './fields.ts'
import { CENSOR, redactedPaths, withoutSecrets } from './redaction.ts'
import { visible } from './visible.ts'

type Write = (first: LogFields | string, message?: string) => void

/** Structured log of a service. Fields come from fields.ts; secrets and prompts are redacted, see redaction.ts. */
export type Logger = {
  readonly trace: Write
  readonly debug: Write
  /** For operators: start, stop, one line per finished console request or job. */
  readonly info: Write
  /** Someone should look this week. */
  readonly warn: Write
  /** Someone should look now. Expected refusals are not errors. */
  readonly error: Write
  readonly fatal: Write
  child(fields: LogFields): Logger
  /** Whether a line of this level would be written: guards costly fields. */
  isLevelEnabled(level: LogLevel): boolean
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

type LoggerOptions = {
  readonly service: string
  readonly level?: LogLevel
  /** Where lines go; standard output unless a test wants to read them. */
  readonly destination?: DestinationStream
}

/** Makes the log of a service: JSON lines on standard output, ISO times, redaction configured here and nowhere else. */
export function createLogger({ service, level = 'info', destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...redactedPaths], censor: CENSOR },
      serializers: { err: toLoggedError, error: toLoggedError },
      hooks: {
        logMethod(values, method) {
          method.apply(this, [...values].map((value) => (typeof value === 'string' ? withoutSecrets(value) : value)) as typeof values) // same shape: only strings change
        },
      },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
}

type LoggedError = { type: string; message: string; code?: string; stack?: string; cause?: LoggedError }

const MAX_CAUSES = 5

function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: visible(withoutSecrets(String(error))) }
  const { code } = error as { code?: unknown } // node and our own errors carry a text code
  return {
    type: error.name,
    message: visible(withoutSecrets(error.message)),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: withoutSecrets(error.stack.slice(0, 4000)) }),
    ...(error.cause === undefined || depth === MAX_CAUSES ? {} : { cause: toLoggedError(error.cause, depth + 1) }),
  }
}
