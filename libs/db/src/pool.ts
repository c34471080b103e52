import { AppError } from '@tollgate/contracts/app-error'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import postgres from 'postgres'

type Sql = ReturnType<typeof connect>
type PoolOptions = {
  readonly url: string
  readonly max: number
  readonly name: string
  /** Prepares statements that are repeated within a session. */
  readonly prepares: boolean
}

const CONNECT_TIMEOUT_SECONDS = 10
const END_TIMEOUT_SECONDS = 5

/**
 * A pool for Kysely's Postgres dialect over postgres.js: one postgres.js client per session, each with exactly one connection. Its
 * `reserve()` is not used: when a connection was lost between two statements of a transaction, the next statement waited indefinitely or
 * the process ended (ADR 11). This pool marks such a session as lost, fails its statements and gives it up.
 */
export function createPool(options: PoolOptions): PostgresPool {
  const all = new Set<Session>()
  const idle: Session[] = []
  const waiting: ((session: Session) => void)[] = []

  const make = (): Session => {
    const made = new Session(options, returnSession)
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
    if (next !== undefined) next(isBroken ? make() : session.lend())
    else if (!isBroken) idle.push(session)
  }
  return {
    connect: async () => {
      const found = idle.pop()
      if (found !== undefined) return found.lend()
      if (all.size < options.max) return make()
      return await new Promise((resolve) => waiting.push(resolve))
    },
    end: async () => {
      await Promise.all([...all].map((session) => session.end()))
    },
    options: {},
  }
}

type ReturnSession = (session: Session, isBroken: boolean) => void
type Answer = { command: 'SELECT'; rowCount: number; rows: never[] }

class Session implements PostgresPoolClient {
  readonly #sql: Sql
  readonly #giveBack: ReturnSession
  readonly #texts: SessionTexts | undefined
  #isLost = false
  #failStatement: ((lost: AppError) => void) | undefined

  constructor(options: PoolOptions, returnSession: ReturnSession) {
    this.#giveBack = returnSession
    this.#texts = options.prepares ? new SessionTexts() : undefined
    this.#sql = connect(options, () => {
      this.#isLost = true
      this.#failStatement?.(connectionLost())
    })
  }

  /** A connection lost while the session was idle does no harm: postgres.js opens a new one with the first statement. */
  lend(): this {
    this.#isLost = false
    return this
  }

  // Kysely passes text and parameters; its overload with a cursor is for streaming, which is not used.
  query = (async (text: string, parameters: readonly unknown[]): Promise<Answer> => {
    if (this.#isLost) throw connectionLost()
    const prepare = this.#texts?.isRepeated(text) ?? false
    // postgres.js never answers a statement that is sent after the socket has failed and before it has closed.
    const lost = Promise.withResolvers<never>()
    this.#failStatement = lost.reject
    const statement = this.#sql.unsafe(text, [...parameters] as never[], { prepare }).catch(unfreezeStack) // postgres.js infers the parameter types itself
    const rows = await Promise.race([statement, lost.promise])
    return { command: rows.command as 'SELECT', rowCount: rows.count ?? 0, rows: [...rows] as never[] } // the caller knows the row type
  }) as unknown as PostgresPoolClient['query']

  /** A session that was lost while it was lent may wait for such a statement, so it is not lent again. */
  release(isBroken = false): void {
    this.#failStatement = undefined
    this.#giveBack(this, isBroken || this.#isLost)
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: END_TIMEOUT_SECONDS })
  }
}

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

const connectionLost = (): AppError => new AppError('store.unavailable', {}, { cause: new Error('the connection to Postgres was lost') })

/** postgres.js freezes the stack of its errors; Kysely appends the stack of the caller to it. */
function unfreezeStack(error: unknown): never {
  if (!(error instanceof Error)) throw error
  if (isUnavailable(error)) throw new AppError('store.unavailable', {}, { cause: error })
  if (isOutOfRange(error)) throw new AppError('params.range', {}, { cause: error })
  Object.defineProperty(error, 'stack', { value: error.stack, writable: true, configurable: true })
  throw error
}

/**
 * Whether Postgres could not be reached, closed the connection, or is starting up or shutting down.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html (classes 08 and 57P, 53300)
 */
const UNAVAILABLE = /^(CONNECT|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|08|57P0[1-3]|53300)/

function isUnavailable(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && UNAVAILABLE.test(error.code)
}

/** A value that a CHECK constraint with the suffix `_range` refused (code 23514): it came from a call, however it was computed. */
function isOutOfRange(error: Error): boolean {
  if (!('code' in error) || error.code !== '23514') return false
  return 'constraint_name' in error && String(error.constraint_name).endsWith('_range')
}

function connect({ url, name }: PoolOptions, onclose: () => void) {
  return postgres(url, {
    max: 1,
    // No statement has a parameter or result that is an array. A connection that closes while its types are read ends the process.
    fetch_types: false,
    // A session must not expire between two statements of a transaction.
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onclose,
    onnotice: () => undefined,
    connection: { application_name: name },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: parseSafeInteger } },
  })
}

/** Parses the text of an int8; throws beyond 2^53, where a number would lose precision. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer ${text} is beyond what can be held exactly`)
  return value
}
