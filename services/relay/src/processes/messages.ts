/** Messages between the supervisor and its relay processes. */

/** Supervisor to process: listen. It may carry the listening socket of the process that this one replaces. */
export const LISTEN = 'listen'
/** Supervisor to process: send your listening socket. */
export const HAND_OVER = 'hand-over'
/** Supervisor to process: you are replaced, drain. /readyz stays green for the other processes on the port. */
export const REPLACED = 'replaced'

/** Process to supervisor: ready to listen. */
export const READY = 'ready'
/** Process to supervisor: listening. */
export const LISTENING = 'listening'
/** Process to supervisor: the listening socket that was asked for. */
export const LISTENER = 'listener'

/** A listening socket on its way between two processes: libuv's own handle, because a `net.Server` would accept connections on arrival. */
export type Listener = { close(): void }
