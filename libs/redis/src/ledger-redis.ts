import type { Command } from 'ioredis'
import { WatchedRedis } from './watched-redis.ts'

/**
 * A connection that sends all commands of one event loop turn in one write. ioredis can do it with a pipeline, at two and a half times
 * the cost (docs/performance.md).
 */
export class LedgerRedis extends WatchedRedis {
  #gathered = ''
  /** Looks like a pipeline to ioredis, which writes to it instead of the connection. */
  readonly #gatherer = { isPipeline: true, destination: { redis: this }, write: (args: string | Buffer) => this.#gather(args) } as const

  override sendCommand(command: Command, stream?: Parameters<WatchedRedis['sendCommand']>[1]): unknown {
    // Before `ready`, ioredis decides what may be sent. A pipeline writes directly, so gathered commands are flushed first.
    if (this.status === 'ready' && stream === undefined) return super.sendCommand(command, this.#gatherer)
    this.flush()
    return super.sendCommand(command, stream)
  }

  /** Joins all commands of a turn into one text and one write: a list would be encoded, written and acknowledged one by one. */
  #gather(args: string | Buffer): void {
    if (typeof args !== 'string') throw new TypeError('ledger commands must be encoded as text')
    if (this.#gathered === '') setImmediate(() => this.flush())
    this.#gathered += args
  }

  /** Writes what was gathered so far: for a caller that has gathered the calls of this turn itself. */
  flush(): void {
    const all = this.#gathered
    if (all === '') return
    this.#gathered = ''
    // If the connection ended meanwhile, ioredis has already failed each command.
    if (this.stream.writable) this.stream.write(all)
  }
}
