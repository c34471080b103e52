import { Command, Redis, type RedisOptions } from 'ioredis'
import { isSentinelAddress, sentinelOptions } from './sentinel-address.ts'

/** How long answers may take. */
export type Patience = {
  /** A command that is not answered within this time fails. What it did is unknown; it is not sent again. */
  readonly answerWithinMs: number
  /** A connection on which nothing arrives for this long, although an answer is due, is closed and opened again. */
  readonly quietForMs: number
}

export type WatchedOptions = RedisOptions & Patience & { readonly replyMapping?: 'legacy' }

/** `extraMs`: how long the command itself may block. */
type Sent = { readonly command: Command; readonly at: number; readonly extraMs: number }
type Send = Redis['sendCommand']

/** While nothing has arrived since a connection was given up: a caller of several commands waits once. */
const LOST_ANSWER_WITHIN_MS = 500
/** A silent peer does not answer the end of a connection either. */
const END_WITHIN_MS = 500

/**
 * A connection that never waits without end. A peer that loses its network, or freezes, sends no error: commands would stay pending, and
 * the connection would never be left for a new one. ioredis' `commandTimeout` takes a timer per command, sends the command again after a
 * reconnect and keeps the silent connection; its `socketTimeout` ends connections that wait for a blocking command.
 */
export class WatchedRedis extends Redis {
  readonly #patience: Patience
  /** Commands that may still be answered, oldest first. A queue instead of a Map, whose old tables keep deleted entries alive. */
  readonly #sent: Sent[] = []
  /** A connection to the same address, with other options. ioredis' `duplicate` would make an unwatched one. */
  readonly openAnother: (changes: Partial<WatchedOptions>) => WatchedRedis
  #isWatching = false
  #checkedAt = 0
  /** When a connection was given up; undefined: something has arrived since. */
  #lostAt: number | undefined
  /** Bytes that had arrived at the last check, and their connection. */
  #heard: { readonly stream: unknown; readonly bytes: number } | undefined
  /** The oldest command without any answer since. */
  #owed: { readonly since: number; readonly extraMs: number } | undefined

  constructor(url: string, options: WatchedOptions) {
    super(addressOf(url), options)
    const { answerWithinMs, quietForMs } = options
    this.#patience = { answerWithinMs, quietForMs }
    this.openAnother = (changes) => new WatchedRedis(url, { ...options, ...changes })
  }

  override sendCommand(command: Command, stream?: Parameters<Send>[1]): unknown {
    // ioredis sends what it had queued or sent before; a caller that gave a command up has gone on.
    if (command.isSettled) return command.promise
    this.#note(command)
    return super.sendCommand(command, stream)
  }

  override disconnect(reconnect = false): void {
    const { stream } = this
    // ioredis ends a connection in the state `wait` by itself; in `reconnecting` it clears the timer, and neither ends nor fails what is queued.
    if (!reconnect && this.status === 'reconnecting') this.status = 'wait'
    super.disconnect(reconnect)
    if (reconnect) stream?.destroy()
    else setTimeout(() => stream?.destroy(), END_WITHIN_MS).unref()
  }

  #note(command: Command): void {
    this.#forgetAnswered()
    const at = performance.now()
    this.#sent.push({ command, at, extraMs: blockingTimeOf(command) })
    if (this.#isWatching) return
    this.#isWatching = true
    this.#heard = undefined
    this.#hasHeard()
    this.#checkedAt = at
    this.#lookIn(Math.min(this.#lostAt === undefined ? this.#patience.answerWithinMs : LOST_ANSWER_WITHIN_MS, this.#patience.quietForMs))
  }

  #forgetAnswered(): void {
    while (this.#sent[0]?.command.isSettled === true) this.#sent.shift()
  }

  /** Looks after sockets were read: timers run first, and after a stall of this process the answer may already be waiting. */
  #lookIn(ms: number): void {
    setTimeout(() => setImmediate(() => this.#look()), Math.max(1, ms)).unref()
  }

  #look(): void {
    const now = performance.now()
    this.#forgetAnswered()
    this.#noteSilence(now)
    this.#checkedAt = now
    const oldest = this.#failLate(now)
    const quietRest = this.#owed === undefined ? Infinity : this.#owed.since + this.#owed.extraMs + this.#patience.quietForMs - now
    if (quietRest <= 0) this.#giveUp()
    const rest = Math.min(oldest === undefined ? Infinity : this.#restOf(oldest, now), quietRest <= 0 ? Infinity : quietRest)
    this.#isWatching = rest !== Infinity
    if (this.#isWatching) this.#lookIn(rest)
  }

  #noteSilence(now: number): void {
    const oldest = this.#sent[0]
    if (this.#hasHeard()) {
      // Sent after the last look: nothing that arrived was its answer, for answers keep the order.
      const since = oldest !== undefined && oldest.at > this.#checkedAt ? oldest.at : now
      this.#owed = oldest === undefined ? undefined : { since, extraMs: oldest.extraMs }
    } else if (oldest !== undefined) {
      this.#owed ??= { since: oldest.at, extraMs: oldest.extraMs }
    }
  }

  /** True if anything arrived since the last look. A connection that is not made yet has a time limit of its own. */
  #hasHeard(): boolean {
    const { stream } = this
    const isMade = stream !== undefined && !stream.connecting && (this.status === 'connect' || this.status === 'ready')
    const bytes = isMade ? stream.bytesRead : -1
    const hasHeard = !isMade || this.#heard?.stream !== stream || this.#heard.bytes !== bytes
    if (hasHeard && bytes > 0) this.#lostAt = undefined
    this.#heard = { stream, bytes }
    return hasHeard
  }

  #restOf({ at, extraMs }: Sent, now: number): number {
    const { answerWithinMs } = this.#patience
    return (
      at +
      (this.#lostAt !== undefined && at > this.#lostAt ? Math.min(answerWithinMs, LOST_ANSWER_WITHIN_MS) : answerWithinMs) +
      extraMs -
      now
    )
  }

  /** Fails what waits for too long; returns the oldest of the rest. */
  #failLate(now: number): Sent | undefined {
    for (let oldest = this.#sent[0]; oldest !== undefined; oldest = this.#sent[0]) {
      if (this.#restOf(oldest, now) > 0) return oldest
      oldest.command.reject(new Error('Command timed out'))
      this.#forgetAnswered()
    }
    return undefined
  }

  /** Destroyed, not ended: an end waits for the peer. ioredis treats the commands in flight as unanswered and connects again. */
  #giveUp(): void {
    this.#owed = undefined
    this.#heard = undefined
    this.#lostAt = performance.now()
    this.stream.destroy(new Error(`Redis sent nothing for ${this.#patience.quietForMs} ms`))
  }
}

/** In place of an address ioredis takes options too, beside its other ones; its types do not say so. */
const addressOf = (url: string): string => (isSentinelAddress(url) ? (sentinelOptions(url) as unknown as string) : url)

function blockingTimeOf(command: Command): number {
  return BLOCKING.has(command.name) ? (command.extractBlockingTimeout() ?? 0) : 0
}

const BLOCKING: ReadonlySet<string> = new Set(Command.FLAGS.BLOCKING_COMMANDS)
