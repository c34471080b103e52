import type { Redis } from '@tollgate/redis/connect'
import { readOpening, readStoreMark } from '../recovery/store-mark.ts'

/** Facts that a connection knows of the store at its other end. */
export type CheckedStore = {
  /** Recovery has opened the ledger on this server since it became the master. */
  readonly isOpen: boolean
  /** Text of the last opening; undefined: there was none. */
  readonly opened: string | undefined
  /** How often this connection has come to another open store. What the earlier one answered, this one may not know. */
  readonly changes: number
}

type Known = CheckedStore & {
  /** The connection on which it was found. */
  readonly stream: unknown
  readonly mark: string | undefined
  readonly at: number
}

const CHECK_AGAIN_MS = 100

const known = new WeakMap<Redis, Known>()
const running = new WeakMap<Redis, Promise<Known>>()
const watched = new WeakSet<Redis>()

/**
 * True if ledger scripts may be called on this connection. Every new connection is compared first, because another server may answer at
 * the same address. Costs no call to Redis once a connection was found open.
 */
export function isStoreOpen(redis: Redis): true | Promise<boolean> {
  const found = known.get(redis)
  if (found !== undefined && found.stream === redis.stream) {
    if (found.isOpen) return true
    if (performance.now() - found.at < CHECK_AGAIN_MS) return Promise.resolve(false)
  }
  return checkStore(redis).then(({ isOpen }) => isOpen)
}

/** Compares the store of this connection now. Rejects when it does not answer. */
export function checkStore(redis: Redis): Promise<CheckedStore> {
  watch(redis)
  const current = running.get(redis)
  if (current !== undefined) return current
  const check = compare(redis).finally(() => running.delete(redis))
  running.set(redis, check)
  return check
}

/** The first call after a reconnect then does not wait for the comparison. */
function watch(redis: Redis): void {
  if (watched.has(redis)) return
  watched.add(redis)
  // A comparison that fails is made again by the next call.
  redis.on('ready', () => void checkStore(redis).catch(() => undefined))
}

async function compare(redis: Redis): Promise<Known> {
  const { stream } = redis
  const [mark, opening] = await Promise.all([readStoreMark(redis), readOpening(redis)])
  // Reconnected meanwhile: the answers may be from two servers.
  if (redis.stream !== stream) return await compare(redis)
  const before = known.get(redis)
  const isOpen = mark !== undefined && mark === opening?.mark
  const isOther = isOpen && before?.mark !== undefined && before.mark !== mark
  const found = {
    isOpen,
    opened: opening?.text,
    changes: (before?.changes ?? 0) + (isOther ? 1 : 0),
    stream,
    mark: isOpen ? mark : before?.mark,
    at: performance.now(),
  }
  known.set(redis, found)
  return found
}
