import { visible } from './visible.ts'

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
