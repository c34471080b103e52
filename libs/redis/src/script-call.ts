import { Command, type Redis } from 'ioredis'

/**
 * EVALSHA with all of its words in one text. ioredis would take each of forty arguments through four lists first; the two calls of a
 * request cost it a third of what they cost in all (docs/performance.md).
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

/** Sends a script by its sha-1; fails with NOSCRIPT where Redis does not know it. */
export function sendScript(redis: Redis, sha: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
  // EVALSHA, the sha, the number of keys.
  const words = 3 + keys.length + args.length
  let text = `*${words}\r\n$7\r\nevalsha\r\n${bulk(sha)}${bulk(String(keys.length))}`
  for (const key of keys) text += bulk(key)
  for (const arg of args) text += bulk(typeof arg === 'string' ? arg : String(arg))
  const call = new ScriptCall(text)
  redis.sendCommand(call)
  return call.promise
}

/** A word as RESP writes it: https://redis.io/docs/latest/develop/reference/protocol-spec/#bulk-strings */
const bulk = (word: string): string => `$${Buffer.byteLength(word)}\r\n${word}\r\n`
