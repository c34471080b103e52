import { Redis, type Command } from 'ioredis'

/**
 * `ledger`: answers at once or fails at once; nothing is queued while Redis is away and nothing is sent twice after a reconnect.
 * `plain`: for everything else (sessions, snapshot, token records), with ioredis' patience but without endless retries.
 */
export type RedisKind = 'ledger' | 'plain'

/** Opens a connection of its own; never share the ledger's with BullMQ or a blocking read. */
export function connectRedis(url: string, kind: RedisKind): Redis {
  const retryStrategy = (times: number) => Math.min(50 * times, 1000)
  const redis =
    kind === 'ledger' ? new LedgerRedis(url, { ...ledgerOptions, retryStrategy }) : new Redis(url, { ...plainOptions, retryStrategy })
  // Without a listener ioredis prints each failed reconnect; callers see the failure in their own answers.
  redis.on('error', () => undefined)
  return redis
}

const ledgerOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} as const

const plainOptions = { maxRetriesPerRequest: 3 } as const

const ANSWER_WITHIN_MS = 500

/**
 * A connection whose commands leave together at the end of their turn of the event loop, and fail when Redis has not answered in
 * time. ioredis does both by itself, with a pipeline and a timer for each command, at two and a half times the cost of the command
 * (docs/performance.md).
 */
class LedgerRedis extends Redis {
  /** Commands in the order of their answers. */
  readonly #sent: { readonly command: Command; readonly at: number }[] = []
  #isWatching = false
  #gathered = ''
  /** To ioredis, a pipeline: something to write to in the connection's place. */
  readonly #gatherer = { isPipeline: true, destination: { redis: this }, write: (args: string | Buffer) => this.#gather(args) } as const

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    this.#forgetAnswered()
    this.#sent.push({ command, at: performance.now() })
    if (!this.#isWatching) this.#watch(ANSWER_WITHIN_MS)
    // Before it is ready, ioredis decides for itself what may leave; a pipeline writes past what was gathered, which goes first.
    if (this.status === 'ready' && stream === undefined) return super.sendCommand(command, this.#gatherer)
    this.#flush()
    return super.sendCommand(command, stream)
  }

  /** One text and one write for all commands of a turn: as a list they would be encoded, written and acknowledged one by one. */
  #gather(args: string | Buffer): void {
    if (typeof args !== 'string') throw new TypeError('the calls of the ledger are text')
    if (this.#gathered === '') setImmediate(() => this.#flush())
    this.#gathered += args
  }

  #flush(): void {
    const all = this.#gathered
    if (all === '') return
    this.#gathered = ''
    // A connection that ended meanwhile has told each command so.
    if (this.stream.writable) this.stream.write(all)
  }

  /** A queue and no map: one with so much coming and going keeps what is gone (brief-map.ts). */
  #forgetAnswered(): void {
    while (this.#sent[0]?.command.isSettled === true) this.#sent.shift()
  }

  /** Timers run before sockets are read: after a stall of this process the answer may lie there already, so it is read first. */
  #watch(ms: number): void {
    this.#isWatching = true
    setTimeout(() => setImmediate(() => this.#giveUp()), ms).unref()
  }

  #giveUp(): void {
    const now = performance.now()
    this.#forgetAnswered()
    for (let oldest = this.#sent[0]; oldest !== undefined; oldest = this.#sent[0]) {
      const rest = oldest.at + ANSWER_WITHIN_MS - now
      if (rest > 0) return this.#watch(rest)
      oldest.command.reject(new Error('Command timed out'))
      this.#forgetAnswered()
    }
    this.#isWatching = false
  }
}

/** Resolves when the connection can take commands; rejects after `timeoutMs`. For start-up, where the ledger kind queues nothing. */
export async function waitUntilReady(redis: Redis, timeoutMs = 10_000): Promise<void> {
  if (redis.status === 'ready') return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`Redis was not ready within ${timeoutMs} ms`)), timeoutMs)
  redis.once('ready', resolve)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    redis.off('ready', resolve)
  }
}

export type { Redis } from 'ioredis'
