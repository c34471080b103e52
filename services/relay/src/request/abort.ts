import type { Reply } from '../transport/reply.ts'

/** Why a request must stop. */
export type AbortReason = 'client-disconnected' | 'shutting-down'

/**
 * Tells the running step to stop: an AbortSignal with a typed reason, called directly and able to fire twice, because shutdown also
 * stops an upstream call that is read on after its client disconnected. A real AbortController with one listener costs 1.4 µs and
 * 340 bytes more per open request.
 */
export class RequestAbort {
  #listener: (() => void) | undefined
  #left_ms: number | undefined
  #isShuttingDown = false

  constructor(reply: Reply, elapsed: () => number) {
    // A client that has already disconnected causes no second event.
    this.#left_ms = reply.isClosed ? elapsed() : undefined
    reply.onDisconnect(() => {
      if (this.#left_ms !== undefined) return
      this.#left_ms = elapsed()
      this.#listener?.()
    })
  }

  get aborted(): boolean {
    return this.#isShuttingDown || this.#left_ms !== undefined
  }

  /** A shutdown replaces an earlier 'client-disconnected'. */
  get reason(): AbortReason | undefined {
    if (this.#isShuttingDown) return 'shutting-down'
    return this.#left_ms === undefined ? undefined : 'client-disconnected'
  }

  /** Milliseconds from the start of the request until the client disconnected; undefined while it is connected. */
  get left_ms(): number | undefined {
    return this.#left_ms
  }

  /** Sets the one listener, or removes it with undefined. It is called again when the reason changes. */
  onAbort(listener: (() => void) | undefined): void {
    this.#listener = listener
  }

  /** Stops the request because the drain deadline of this process has passed. */
  shutDown(): void {
    if (this.#isShuttingDown) return
    this.#isShuttingDown = true
    this.#listener?.()
  }
}
