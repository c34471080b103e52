import { Command, type Redis } from 'ioredis'

/** Arguments of a call, encoded as RESP bulk strings, and their number. */
export type Args = { readonly count: number; readonly text: string }

/**
 * EVALSHA with all arguments encoded in one string. ioredis would copy each of forty arguments through four lists, a third of the cost
 * of a request's two ledger calls (docs/performance.md).
 */
class ScriptCall extends Command {
  readonly #text: string

  constructor(text: string) {
    super('evalsha', [], { replyEncoding: 'utf8' })
    this.#text = text
  }

  override toWritable(): string {
    return this.#text
  }
}

/** Calls a script by its SHA-1; rejects with NOSCRIPT when Redis does not know it. */
export function sendScript(redis: Redis, sha: string, keys: Args, args: Args): Promise<unknown> {
  // EVALSHA, the SHA-1, the number of keys.
  const parts = 3 + keys.count + args.count
  const call = new ScriptCall(`*${parts}\r\n$7\r\nevalsha\r\n$40\r\n${sha}\r\n${numberArg(keys.count)}${keys.text}${args.text}`)
  redis.sendCommand(call)
  return call.promise
}

export type ScriptArgument = string | number

export function argsOf(all: readonly ScriptArgument[]): Args {
  return { count: all.length, text: all.map((one) => (typeof one === 'number' ? numberArg(one) : textArg(one))).join('') }
}

/** https://redis.io/docs/latest/develop/reference/protocol-spec/#bulk-strings */
export const textArg = (text: string): string => lengthLine(Buffer.byteLength(text)) + text + END

/** For ASCII text only: its length in bytes is its length in characters. */
export const asciiArg = (text: string): string => lengthLine(text.length) + text + END

export const numberArg = (value: number): string => asciiArg(String(value))

const END = '\r\n'
const SHORT = Array.from({ length: 64 }, (_, length) => `$${length}\r\n`)
const lengthLine = (length: number): string => SHORT[length] ?? `$${length}\r\n`

/** True if a call by SHA-1 failed because Redis does not know the script. */
export function isUnknownScript(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith('NOSCRIPT')
}
