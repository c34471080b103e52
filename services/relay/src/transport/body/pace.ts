/** How slowly a body may arrive. */
export type Pace = {
  /** From here on the average must reach the minimum rate. */
  readonly grace_ms: number
  readonly bytes_per_second: number
  /** Maximum time for the whole body. */
  readonly timeout_ms: number
}

const CHECK_MS = 5000

/** Calls `onSlow` once when the body is slower than allowed, until the returned function is called. */
export function watchPace(
  body: { readonly size: number },
  { grace_ms, bytes_per_second, timeout_ms }: Pace,
  onSlow: () => void,
): () => void {
  const started = performance.now()
  const check = () => {
    const elapsed = performance.now() - started
    const isSlow = elapsed >= grace_ms && body.size < (bytes_per_second * elapsed) / 1000
    if (elapsed >= timeout_ms || isSlow) onSlow()
    else timer = setTimeout(check, Math.min(CHECK_MS, timeout_ms - elapsed))
  }
  // Timers count whole milliseconds and may be early by a part of one.
  let timer = setTimeout(check, Math.min(grace_ms, timeout_ms) + 1)
  return () => clearTimeout(timer)
}
