import { pino, type DestinationStream } from 'pino'
import type { LogFields } from './fields.ts'
import { withReceiver } from './log-lines.ts'
import { CENSOR, redactedPaths, withoutSecrets } from './redaction.ts'
import { visible } from './visible.ts'

type Write = (first: LogFields | string, message?: string) => void

/** Structured log of a service. Fields are declared in fields.ts; redaction.ts removes secrets and prompts. */
export type Logger = {
  readonly trace: Write
  readonly debug: Write
  /** For operators: start, stop, one line per finished console request or job. */
  readonly info: Write
  /** Needs attention this week. */
  readonly warn: Write
  /** Needs attention now. Expected rejections are not errors. */
  readonly error: Write
  readonly fatal: Write
  child(fields: LogFields): Logger
  /** True if lines of this level are written; check it before computing costly fields. */
  isLevelEnabled(level: LogLevel): boolean
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

type LoggerOptions = {
  readonly service: string
  readonly level?: LogLevel
  /** Default: standard output. */
  readonly destination?: DestinationStream
}

/** Creates the log of a service: JSON lines with ISO times, redacted. */
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
    destination ?? withReceiver(pino.destination({ dest: 1, sync: true })),
  )
}

type LoggedError = { type: string; message: string; code?: string; stack?: string; cause?: LoggedError }

const MAX_CAUSES = 5

function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: visible(withoutSecrets(String(error))) }
  const { code } = error as { code?: unknown } // errors of Node.js and our own have a text code
  return {
    type: error.name,
    message: visible(withoutSecrets(error.message)),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: withoutSecrets(error.stack.slice(0, 4000)) }),
    ...(error.cause === undefined || depth === MAX_CAUSES ? {} : { cause: toLoggedError(error.cause, depth + 1) }),
  }
}
