import type { PostgresPool } from 'kysely'
import { endBackend } from './end-backend.ts'
import { connectionLost, Session, type Abandoned, type SessionOptions } from './session.ts'
import { watchPrimary } from './primary-watch.ts'
import { currentLimits } from './statement-limits.ts'

type PoolOptions = SessionOptions & {
  readonly max: number
  /** Finds another primary behind the address while connections to the old one live on. */
  readonly followsPrimary: boolean
}
type Waiting = { readonly resolve: (session: Session) => void; readonly timer: NodeJS.Timeout }

/**
 * A pool for Kysely's Postgres dialect over postgres.js: one postgres.js client per session, each with exactly one connection. Its
 * `reserve()` is not used: when a connection was lost between two statements of a transaction, the next statement waited indefinitely or
 * the process ended (ADR 11). This pool marks such a session as lost, fails its statements and gives it up.
 */
export function createPool(options: PoolOptions): PostgresPool {
  const all = new Set<Session>()
  const idle: Session[] = []
  const waiting: Waiting[] = []

  const make = (): Session => {
    const made = new Session(options, { onReturned: returnSession, onSilent })
    all.add(made)
    return made
  }
  const returnSession = (session: Session, isBroken: boolean): void => {
    if (isBroken) {
      all.delete(session)
      // The session is given up, and so is what its connection has to say.
      session.end().catch(() => undefined)
    }
    const next = waiting.shift()
    if (next !== undefined) {
      clearTimeout(next.timer)
      next.resolve(isBroken ? make() : session.lend())
    } else if (!isBroken) idle.push(session)
  }
  /** Each lent session comes back within the limits of its statements, but others may wait before this one. */
  const wait = (): Promise<Session> => {
    const { answerWithinMs } = currentLimits() ?? options.limits
    const { promise, resolve, reject } = Promise.withResolvers<Session>()
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1)
      reject(connectionLost(`no session was free within ${answerWithinMs} ms`))
    }, answerWithinMs)
    const one = { resolve, timer }
    waiting.push(one)
    return promise
  }
  const abandonAll = (reason: string): void => {
    for (const session of all) session.abandon(reason)
    for (const session of idle.splice(0)) all.delete(session)
  }
  const onSilent = (abandoned: Abandoned | undefined): void => {
    if (abandoned !== undefined) void endBackend(options, abandoned)
    // Each idle one would let one more statement wait for as long.
    for (const session of idle.splice(0)) {
      all.delete(session)
      session.abandon('another connection fell silent')
    }
  }
  const look = options.followsPrimary ? watchPrimary(options, abandonAll) : undefined
  return {
    connect: async () => {
      await look?.()
      const found = idle.pop()
      if (found !== undefined) return found.lend()
      return all.size < options.max ? make() : await wait()
    },
    end: async () => {
      await Promise.all([...all].map((session) => session.end()))
    },
    options: {},
  }
}
