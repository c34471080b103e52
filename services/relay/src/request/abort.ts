import type { Reply } from '../transport/reply.ts'

/** Whether the client has left, or we must stop for it; the step at work is told at once. */
export type Departure = {
  readonly isGone: boolean
  /** True when not the client left but this process is stopping. */
  readonly isStopping: boolean
  /** Milliseconds from the request's start to the moment the client left; undefined while it is there. */
  readonly left_ms: number | undefined
  /** One follower at a time: the step at work. Undefined: nobody. Told when the client leaves, and again when this process must stop. */
  follow(listener: (() => void) | undefined): void
  /** Ends the request from our side: the drain's deadline has come. */
  stop(): void
}

export function watchDeparture(reply: Reply, elapsed: () => number): Departure {
  return new WatchedDeparture(reply, elapsed)
}

class WatchedDeparture implements Departure {
  #listener: (() => void) | undefined
  #left_ms: number | undefined
  #isStopping = false

  constructor(reply: Reply, elapsed: () => number) {
    // Who left before this point sends no second notice.
    this.#left_ms = reply.isClosed ? elapsed() : undefined
    reply.onGone(() => {
      if (this.#left_ms !== undefined) return
      this.#left_ms = elapsed()
      this.#listener?.()
    })
  }

  get isGone(): boolean {
    return this.#isStopping || this.#left_ms !== undefined
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  get left_ms(): number | undefined {
    return this.#left_ms
  }

  follow(listener: (() => void) | undefined): void {
    this.#listener = listener
  }

  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#listener?.()
  }
}
