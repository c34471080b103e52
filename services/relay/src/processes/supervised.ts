import type { SendHandle } from 'node:child_process'
import { ignore } from './hand-over.ts'
import { HAND_OVER, LISTEN, LISTENER, LISTENING, READY, REPLACED, type Listener } from './messages.ts'

type Running = {
  readonly listener: () => Listener
  /** Another process has the listening socket. */
  readonly onReplaced: () => void
  /** The supervisor died. */
  readonly onOrphaned: () => void
}

/** The side of a relay process that a supervisor started. */
export class Supervised {
  #running: Running | undefined

  constructor() {
    const onDisconnect = () => {
      if (this.#running === undefined) process.exit(1)
      this.#running.onOrphaned()
    }
    if (process.connected) process.on('disconnect', onDisconnect)
    else onDisconnect()
  }

  /** Waits for the supervisor's word, and for the socket of the process that this one replaces, if there is one. */
  untilListen(): Promise<Listener | undefined> {
    return new Promise((resolve) => {
      process.on('message', function onListen(message, listener) {
        if (message !== LISTEN) return
        process.off('message', onListen)
        resolve(listener as Listener | undefined) // the handle that the other process sent
      })
      process.send?.(READY, undefined, {}, ignore)
    })
  }

  /** Reports that this process listens, and answers the supervisor from now on. */
  serve(running: Running): void {
    this.#running = running
    process.on('message', (message) => {
      // Node sends handles of this kind too, but does not name them in its types.
      if (message === HAND_OVER) process.send?.(LISTENER, running.listener() as SendHandle, {}, ignore)
      if (message === REPLACED) running.onReplaced()
    })
    process.send?.(LISTENING, undefined, {}, ignore)
  }
}
