import { AppError } from '@tollgate/contracts/app-error'
import type { PostgresPoolClient } from 'kysely'
import postgres from 'postgres'
import { RECONNECT_AFTER_MS, Sockets } from './sockets.ts'
import { currentLimits, type StatementLimits } from './statement-limits.ts'

type Sql = ReturnType<typeof connect>
export type SessionOptions = {
  readonly url: string
  readonly name: string
  /** Prepares statements that are repeated within a session, unless a pooler is in between. */
  readonly prepares: boolean
  /** A standby is accepted too. */
  readonly isReplica?: boolean
  /** Limits of statements that run outside of `withStatements`. */
  readonly limits: StatementLimits
}

const CONNECT_TIMEOUT_SECONDS = 5
const END_TIMEOUT_SECONDS = 5
/** For the request to cancel a statement that took too long. */
const CANCEL_WITHIN_MS = 2000

/** The server's side of a session that was given up, and what it was doing. */
export type Abandoned = { readonly pid: number; readonly text: string }

export type SessionEvents = {
  readonly onReturned: (session: Session, isBroken: boolean) => void
  /** A statement was not answered in time: other connections of the same age may be as silent. */
  readonly onSilent: (abandoned: Abandoned | undefined) => void
}
type Answer = { command: 'SELECT'; rowCount: number; rows: never[] }
type Statement = ReturnType<Sql['unsafe']>

/** One postgres.js client with exactly one connection. */
export class Session implements PostgresPoolClient {
  readonly #sql: Sql
  readonly #sockets = new Sockets()
  readonly #events: SessionEvents
  readonly #limits: StatementLimits
  #texts: SessionTexts | undefined
  #isDirect: boolean | undefined
  #isLost = false
  #failStatement: ((lost: AppError) => void) | undefined

  constructor(options: SessionOptions, events: SessionEvents) {
    this.#events = events
    this.#limits = options.limits
    this.#texts = options.prepares ? new SessionTexts() : undefined
    this.#sql = connect(options, this.#sockets, () => this.#lose('the connection to Postgres was lost'))
  }

  /** A connection lost while the session was idle does no harm: postgres.js opens a new one with the first statement. */
  lend(): this {
    this.#isLost = false
    return this
  }

  // Kysely passes text and parameters; its overload with a cursor is for streaming, which is not used.
  query = (async (text: string, parameters: readonly unknown[]): Promise<Answer> => {
    if (this.#isLost) throw connectionLost('the connection to Postgres was lost')
    const limits = currentLimits() ?? this.#limits
    if (BEGIN.test(text)) return await this.#run(this.#sql.unsafe(beginText(text, limits)), limits)
    const prepare = (this.#texts?.isRepeated(text) ?? false) && (await this.#mayPrepare(limits))
    return await this.#run(this.#sql.unsafe(text, [...parameters] as never[], { prepare }), limits) // postgres.js infers the parameter types itself
  }) as unknown as PostgresPoolClient['query']

  /**
   * A pooler gives its clients process numbers of its own, and lends each transaction another server, which lacks the prepared
   * statements of this session. The numbers are compared before the first statement is prepared.
   */
  async #mayPrepare(limits: StatementLimits): Promise<boolean> {
    if (this.#isDirect !== undefined) return this.#isDirect
    const statement = this.#sql.unsafe('select pg_backend_pid() as pid', [], { prepare: false })
    const { rows } = await this.#run(statement, limits)
    const [row] = rows as { pid: number }[]
    this.#isDirect = row?.pid === (statement as unknown as Internals).state?.pid
    if (!this.#isDirect) this.#texts = undefined
    return this.#isDirect
  }

  async #run(statement: Statement, { answerWithinMs }: StatementLimits): Promise<Answer> {
    // postgres.js never answers a statement that is sent after the socket has failed and before it has closed.
    const lost = Promise.withResolvers<never>()
    this.#failStatement = lost.reject
    let isAnswered = false
    // After sockets were read: timers run first, and after a stall of this process the answer may already be waiting.
    const timer = setTimeout(() => setImmediate(() => isAnswered || this.#giveUp(statement, answerWithinMs)), answerWithinMs)
    try {
      const rows = await Promise.race([statement, lost.promise])
      return { command: rows.command as 'SELECT', rowCount: rows.count ?? 0, rows: [...rows] as never[] } // the caller knows the row type
    } catch (error) {
      if (isLostStore(error)) this.#isLost = true
      throw translated(error)
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  /** A session that was lost while it was lent may wait for such a statement, so it is not lent again. */
  release(isBroken = false): void {
    this.#failStatement = undefined
    this.#events.onReturned(this, isBroken || this.#isLost)
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: END_TIMEOUT_SECONDS })
    this.#sockets.destroy()
  }

  /** Ends it at once, whatever it is doing. */
  abandon(reason: string): void {
    this.#lose(reason)
    this.#sockets.destroy()
  }

  #lose(reason: string): void {
    this.#isLost = true
    this.#failStatement?.(connectionLost(reason))
  }

  #giveUp(statement: Statement, ms: number): void {
    // If it is only slow, it would go on for nothing, and hold its locks. The rejections of `cancel` cannot be handled.
    const { canceller, state, string } = statement as unknown as Internals
    canceller?.(statement).catch(() => undefined)
    this.#lose(`Postgres did not answer within ${ms} ms`)
    this.#events.onSilent(typeof state?.pid === 'number' ? { pid: state.pid, text: string } : undefined)
    setTimeout(() => this.#sockets.destroy(), CANCEL_WITHIN_MS).unref()
  }
}

/** Fields of a postgres.js query. */
type Internals = {
  readonly canceller?: ((query: unknown) => Promise<unknown>) | null
  /** The server's process, once the connection is made. */
  readonly state?: { readonly pid?: number | null } | null
  readonly string: string
}

const BEGIN = /^(?:begin|start transaction)\b/i

/**
 * In the same message, so that it costs no round trip. Through a transaction pooler too, which refuses them as start-up parameters. The
 * server asks a peer that is silent for 10 s whether it is there.
 */
const beginText = (text: string, { answerWithinMs, idleInTransactionMs, statementMs = answerWithinMs + 1000 }: StatementLimits): string =>
  `${text}; set local idle_in_transaction_session_timeout = ${idleInTransactionMs}; set local statement_timeout = ${statementMs}; ${KEEP_ALIVE}`

const KEEP_ALIVE = 'set local tcp_keepalives_idle = 10; set local tcp_keepalives_interval = 5; set local tcp_keepalives_count = 3'

const MAX_TEXTS = 200

/**
 * The statement texts that a session has seen. An unprepared statement costs one more round trip and is planned every time. Texts that
 * depend on the number of parameters occur once or twice, so only `MAX_TEXTS` are remembered; other texts are never prepared.
 */
class SessionTexts {
  readonly #seen = new Set<string>()

  isRepeated(text: string): boolean {
    if (this.#seen.has(text)) return true
    if (this.#seen.size < MAX_TEXTS) this.#seen.add(text)
    return false
  }
}

export const connectionLost = (reason: string): AppError => new AppError('store.unavailable', {}, { cause: new Error(reason) })

/** postgres.js freezes the stack of its errors; Kysely appends the stack of the caller to it. */
function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  if (isUnavailable(error)) return new AppError('store.unavailable', {}, { cause: error })
  if (isTooLong(error)) return new AppError('store.too-long', {}, { cause: error })
  if (isOutOfRange(error)) return new AppError('params.range', {}, { cause: error })
  Object.defineProperty(error, 'stack', { value: error.stack, writable: true, configurable: true })
  return error
}

const isLostStore = (error: unknown): boolean => error instanceof Error && (error instanceof AppError || isUnavailable(error))

/**
 * True if Postgres could not be reached, closed the connection, is starting up or shutting down, or is not the primary (25006): a standby
 * or a demoted primary behind the same address refuses to write and would go on refusing.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html (classes 08, 57P and 25006, 53300)
 */
const UNAVAILABLE = /^(CONNECT|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|08|57P0[1-3]|53300|25006|25P03)/

function isUnavailable(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && UNAVAILABLE.test(error.code)
}

/** `query_canceled`: a statement exceeded its `statement_timeout`. The connection can be used again. */
const isTooLong = (error: Error): boolean => 'code' in error && error.code === '57014'

/** A value that a CHECK constraint with the suffix `_range` refused (code 23514): it came from a call, however it was computed. */
function isOutOfRange(error: Error): boolean {
  if (!('code' in error) || error.code !== '23514') return false
  return 'constraint_name' in error && String(error.constraint_name).endsWith('_range')
}

function connect({ url, name, isReplica = false }: SessionOptions, sockets: Sockets, onclose: () => void) {
  return postgres(url, {
    max: 1,
    // No statement has a parameter or result that is an array. A connection that closes while its types are read ends the process.
    fetch_types: false,
    // A session must not expire between two statements of a transaction.
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    target_session_attrs: isReplica ? undefined : targetOf(url),
    // The default is up to 20 s per client: one of many statements would wait long after the server is back.
    backoff: () => RECONNECT_AFTER_MS / 1000,
    ...sockets.option,
    onclose,
    onnotice: () => undefined,
    connection: { application_name: name },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: parseSafeInteger } },
  })
}

/** The last three are the operator's choice; 'read-write' accepts a hot standby in postgres.js 3.4.9, and 'any' it does not know. */
function targetOf(url: string): 'primary' | 'read-only' | 'standby' | 'prefer-standby' | undefined {
  const wanted = /[?&]target_session_attrs=([\w-]+)/.exec(url)?.[1]
  if (wanted === 'any') return undefined
  return wanted === 'read-only' || wanted === 'standby' || wanted === 'prefer-standby' ? wanted : 'primary'
}

/** Parses the text of an int8; throws beyond 2^53, where a number would lose precision. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer ${text} is beyond what can be held exactly`)
  return value
}
