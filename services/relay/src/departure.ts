import type { Reply } from './reply.ts'

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
  let listener: (() => void) | undefined
  // Who left before this point sends no second notice.
  let left_ms = reply.isClosed ? elapsed() : undefined
  let isStopping = false
  reply.onGone(() => {
    if (left_ms !== undefined) return
    left_ms = elapsed()
    listener?.()
  })
  return {
    get isGone() {
      return isStopping || left_ms !== undefined
    },
    get left_ms() {
      return left_ms
    },
    get isStopping() {
      return isStopping
    },
    follow: (next) => {
      listener = next
    },
    stop: () => {
      if (isStopping) return
      isStopping = true
      listener?.()
    },
  }
}
