import type { ChildProcess, SendHandle } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { HAND_OVER, LISTEN, LISTENER, type Listener } from './messages.ts'

/** A process that does not hand over its socket within this time is stuck; its successor opens a socket of its own. */
const HAND_OVER_MS = 2000

/**
 * Lets a process listen: on the socket of its predecessor, because closing that one would reset the connections that wait in its queue.
 * The supervisor keeps no copy, which would keep the queue open after its process died.
 */
export async function letListen(child: ChildProcess, predecessor: ChildProcess | undefined): Promise<void> {
  const listener = predecessor === undefined ? undefined : await takeListener(predecessor)
  const forget = () => listener?.close()
  if (child.connected) child.send(LISTEN, listener as SendHandle | undefined, {}, forget)
  else forget()
}

async function takeListener(from: ChildProcess): Promise<Listener | undefined> {
  if (!from.connected) return undefined
  const { promise, resolve } = Promise.withResolvers<Listener | undefined>()
  const onMessage = (message: unknown, listener: unknown) => {
    if (message === LISTENER) resolve(listener as Listener) // the handle that the other process sent
  }
  const onExit = () => resolve(undefined)
  const timer = new AbortController()
  from.on('message', onMessage).on('exit', onExit).send(HAND_OVER, ignore)
  try {
    return await Promise.race([promise, wait(HAND_OVER_MS, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
    from.off('message', onMessage).off('exit', onExit)
  }
}

/** Callback of messages to a process that may have exited, whose exit is handled elsewhere. */
export const ignore = (): void => undefined
