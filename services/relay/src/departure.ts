import type { Reply } from './reply.ts'

/** Whether the client has left, or we must stop for it; the step at work is told at once. */
export type Departure = {
  readonly isGone: boolean
  /** True when not the client left but this process is stopping. */
  readonly isStopping: boolean
  /** One follower at a time: the step at work. Undefined: nobody. */
  follow(listener: (() => void) | undefined): void
  /** Ends the request from our side: the drain's deadline has come. */
  stop(): void
}

export function watchDeparture(reply: Reply): Departure {
  let listener: (() => void) | undefined
  // Who left before this point sends no second notice.
  let isGone = reply.isClosed
  let isStopping = false
  const leave = () => {
    if (isGone) return
    isGone = true
    listener?.()
  }
  reply.onGone(leave)
  return {
    get isGone() {
      return isGone
    },
    get isStopping() {
      return isStopping
    },
    follow: (next) => {
      listener = next
    },
    stop: () => {
      isStopping = true
      leave()
    },
  }
}
