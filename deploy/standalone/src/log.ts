import { visible } from '@tollgate/telemetry/visible'

/** Prints one line to the terminal. */
export function log(line: string): void {
  console.log(line)
}

/** Prints one line to stderr: what failed and what happens next. */
export function fail(line: string): void {
  console.error(`tollgate: ${line}`)
}

/** Ignores write errors of stdout and stderr, so that the launcher survives a closed terminal or pipe (`npm start | head`). */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** Formats an error as one line: its message and that of its deepest cause. */
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
