import { Redis, type Command } from 'ioredis'

/**
 * `ledger`: a command is answered or fails within 500 ms; nothing is queued while Redis is unavailable, nothing is sent again after a
 * reconnect. `plain`: for everything else (sessions, snapshot, token records); queues and retries like ioredis, at most three times.
 */
export type RedisKind = 'ledger' | 'plain'

/** Opens a connection. Never share a ledger connection with BullMQ or a blocking read. */
export function connectRedis(url: string, kind: RedisKind): Redis {
  const retryStrategy = (times: number) => Math.min(50 * times, 1000)
  const redis =
    kind === 'ledger' ? new LedgerRedis(url, { ...ledgerOptions, retryStrategy }) : new Redis(url, { ...plainOptions, retryStrategy })
  // Without a listener ioredis prints each failed reconnect; callers see the failure of their own commands.
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
 * A connection that sends all commands of one event loop turn in one write, and fails commands that Redis does not answer in time.
 * ioredis can do both, with a pipeline and a timer per command, at two and a half times the cost (docs/performance.md).
 */
class LedgerRedis extends Redis {
  /** Sent commands, in the order of their answers. */
  readonly #sent: { readonly command: Command; readonly at: number }[] = []
  #isWatching = false
  #gathered = ''
  /** Looks like a pipeline to ioredis, which writes to it instead of the connection. */
  readonly #gatherer = { isPipeline: true, destination: { redis: this }, write: (args: string | Buffer) => this.#gather(args) } as const

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    this.#forgetAnswered()
    this.#sent.push({ command, at: performance.now() })
    if (!this.#isWatching) this.#watch(ANSWER_WITHIN_MS)
    // Before `ready`, ioredis decides what may be sent. A pipeline writes directly, so gathered commands are flushed first.
    if (this.status === 'ready' && stream === undefined) return super.sendCommand(command, this.#gatherer)
    this.#flush()
    return super.sendCommand(command, stream)
  }

  /** Joins all commands of a turn into one text and one write: a list would be encoded, written and acknowledged one by one. */
  #gather(args: string | Buffer): void {
    if (typeof args !== 'string') throw new TypeError('ledger commands must be encoded as text')
    if (this.#gathered === '') setImmediate(() => this.#flush())
    this.#gathered += args
  }

  #flush(): void {
    const all = this.#gathered
    if (all === '') return
    this.#gathered = ''
    // If the connection ended meanwhile, ioredis has already failed each command.
    if (this.stream.writable) this.stream.write(all)
  }

  /** A queue instead of a Map, whose old tables keep deleted entries alive (libs/ledger/src/ttl-map.ts). */
  #forgetAnswered(): void {
    while (this.#sent[0]?.command.isSettled === true) this.#sent.shift()
  }

  /** Checks after sockets were read: timers run first, and after a stall of this process the answer may already be waiting. */
  #watch(ms: number): void {
    this.#isWatching = true
    setTimeout(() => setImmediate(() => this.#failLate()), ms).unref()
  }

  #failLate(): void {
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

/** Resolves when the connection accepts commands; rejects after `timeoutMs`. For start-up, because `ledger` connections do not queue. */
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
