import { visible } from '@tollgate/telemetry/visible'

/** One line for the person at the terminal. */
export function say(line: string): void {
  console.log(line)
}

/** One line on the error stream: something ended or failed, and what is done about it. */
export function complain(line: string): void {
  console.error(`tollgate: ${line}`)
}

/**
 * For what is meant to stay: a terminal that was closed, or `npm start | head`, reads no more, and a line that nobody reads is no
 * reason to leave the services alone. What they have to say stands in their logs.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** An error as one line: its message and that of its deepest cause. */
export function toLine(error: unknown): string {
  if (!(error instanceof Error)) return visible(String(error))
  const cause = deepest(error)
  const own = visible(error.message)
  const below = cause === error ? '' : visible(cause.message)
  return below === '' || own.includes(below) ? own : `${own}: ${below}`
}

function deepest(error: Error): Error {
  let at = error
  for (let depth = 0; depth < 10; depth += 1) {
    const next = at instanceof AggregateError ? at.errors[0] : at.cause
    if (!(next instanceof Error)) return at
    at = next
  }
  return at
}
