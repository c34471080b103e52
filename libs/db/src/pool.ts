import { AppError } from '@tollgate/contracts/app-error'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import postgres from 'postgres'

type Sql = ReturnType<typeof connect>
type PoolOptions = {
  readonly url: string
  readonly max: number
  readonly name: string
  /** Statements that come again are prepared, each session its own. */
  readonly prepares: boolean
}

const CONNECT_TIMEOUT_SECONDS = 10
const END_TIMEOUT_SECONDS = 5

/**
 * The pool that Kysely's own Postgres dialect asks for, over postgres.js: one postgres.js client per session, each with exactly one
 * connection. Its `reserve()` is not used: a connection lost between two statements of a transaction left the next statement waiting
 * for ever or ended the process (ADR 11). Here such a session is marked, and every further statement of its user fails.
 */
export function createPool(options: PoolOptions): PostgresPool {
  const all = new Set<Session>()
  const idle: Session[] = []
  const waiting: ((session: Session) => void)[] = []

  const make = (): Session => {
    const made = new Session(options, giveBack)
    all.add(made)
    return made
  }
  const giveBack = (session: Session, isSpoilt: boolean): void => {
    if (isSpoilt) {
      all.delete(session)
      void session.end()
    }
    const next = waiting.shift()
    if (next !== undefined) next(isSpoilt ? make() : session.lend())
    else if (!isSpoilt) idle.push(session)
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

type GiveBack = (session: Session, isSpoilt: boolean) => void
type Answer = { command: 'SELECT'; rowCount: number; rows: never[] }

class Session implements PostgresPoolClient {
  readonly #sql: Sql
  readonly #giveBack: GiveBack
  readonly #texts: SessionTexts | undefined
  #isLost = false

  constructor(options: PoolOptions, giveBack: GiveBack) {
    this.#giveBack = giveBack
    this.#texts = options.prepares ? new SessionTexts() : undefined
    this.#sql = connect(options, () => {
      this.#isLost = true
    })
  }

  /** Between two users a lost connection does no harm: postgres.js opens a new one with the first statement. */
  lend(): this {
    this.#isLost = false
    return this
  }

  // Kysely passes text and parameters; the overload with a cursor is only for streaming, which nothing of ours does.
  query = (async (text: string, parameters: readonly unknown[]): Promise<Answer> => {
    if (this.#isLost) throw new AppError('store.unavailable', {}, { cause: new Error('the connection to Postgres was lost') })
    const prepare = this.#texts?.isRepeated(text) ?? false
    const rows = await this.#sql.unsafe(text, [...parameters] as never[], { prepare }).catch(openStack) // the types are found out by postgres.js
    return { command: rows.command as 'SELECT', rowCount: rows.count ?? 0, rows: [...rows] as never[] } // the caller knows the row
  }) as unknown as PostgresPoolClient['query']

  release(isSpoilt = false): void {
    this.#giveBack(this, isSpoilt)
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: END_TIMEOUT_SECONDS })
  }
}

const MAX_TEXTS = 200

/**
 * Which statements a session has seen before. One that is not prepared costs a round trip more and is planned anew. Texts that differ
 * with their number of parameters come once or twice: only so many are remembered, and no other is ever prepared.
 */
class SessionTexts {
  readonly #seen = new Set<string>()

  isRepeated(text: string): boolean {
    if (this.#seen.has(text)) return true
    if (this.#seen.size < MAX_TEXTS) this.#seen.add(text)
    return false
  }
}

/** postgres.js freezes its errors' stack; Kysely extends it with where the query was asked for. */
function openStack(error: unknown): never {
  if (!(error instanceof Error)) throw error
  if (isUnavailable(error)) throw new AppError('store.unavailable', {}, { cause: error })
  Object.defineProperty(error, 'stack', { value: error.stack, writable: true, configurable: true })
  throw error
}

/**
 * Postgres could not be reached, closed the connection, or is going down or coming up.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html (classes 08 and 57P, 53300)
 */
const UNAVAILABLE = /^(CONNECT|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|08|57P0[1-3]|53300)/

function isUnavailable(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && UNAVAILABLE.test(error.code)
}

function connect({ url, name }: PoolOptions, onclose: () => void) {
  return postgres(url, {
    max: 1,
    // A session must not end by its age between two statements of a transaction.
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onclose,
    onnotice: () => undefined,
    connection: { application_name: name },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: parseSafeInteger } },
  })
}

/** Text of an int8 to a number; throws past 2^53 rather than losing a unit. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer ${text} is beyond what can be held exactly`)
  return value
}
