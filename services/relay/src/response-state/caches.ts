import { AppError } from '@tollgate/contracts/app-error'
import { countAt, isObject, objectAt, parseJson, parseJsonObject, textAt, type JsonObject } from '@tollgate/providers/json'
import type { Records } from './conversations.ts'

/** A prompt that a vendor caches for a user: where it is, and what the vendor says of it. */
export type Cache = {
  readonly channel_id: number
  readonly key_id: string
  /** Google's own answer, with the model as the client named it. */
  readonly content: JsonObject
}

/** Their names, newest first. */
const INDEX = 'cachedContents'
const NAME = /^cachedContents\/[\w-]{1,100}$/
const MAX_LISTED = 100

/** Prompts that Google caches (`cachedContents`), which only the key that made them can read. Ends of their time remove them. */
export class Caches {
  readonly #records: Records
  readonly #now: () => number

  constructor(records: Records, now: () => number) {
    this.#records = records
    this.#now = now
  }

  /** Throws for one that is not this user's, or has ended. */
  async find(user_id: number, name: string): Promise<Cache> {
    const found = NAME.test(name) ? decode(await this.#records.read(user_id, name)) : undefined
    if (found === undefined || endOf(found) <= this.#now()) throw new AppError('cache.missing', { id: name })
    return found
  }

  /** Keeps one that was made and paid for. Never rejects: without Redis it is lost, or not listed. */
  async keep(user_id: number, cache: Cache): Promise<void> {
    const name = textAt(cache.content, 'name') ?? ''
    if (!NAME.test(name) || !(await this.#records.write(user_id, name, JSON.stringify(cache)))) return
    const others = await this.#names(user_id).catch(() => undefined)
    if (others === undefined) return
    const names = [name, ...others.filter((one) => one !== name)].slice(0, MAX_LISTED)
    await this.#records.write(user_id, INDEX, JSON.stringify(names))
  }

  async list(user_id: number): Promise<Cache[]> {
    const found = await Promise.all((await this.#names(user_id)).map(async (name) => decode(await this.#records.read(user_id, name))))
    return found.flatMap((cache) => (cache === undefined || endOf(cache) <= this.#now() ? [] : [cache]))
  }

  async remove(user_id: number, name: string): Promise<void> {
    await this.#records.remove(user_id, name)
    const names = (await this.#names(user_id)).filter((one) => one !== name)
    await this.#records.write(user_id, INDEX, JSON.stringify(names))
  }

  async #names(user_id: number): Promise<string[]> {
    const names = parseJson((await this.#records.read(user_id, INDEX)) ?? '')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  }
}

/** Its tokens, which are read from the cache by each request that names it. */
export const cachedTokensIn = ({ content }: Cache): number => countAt(objectAt(content, 'usageMetadata'), 'totalTokenCount')

/** In Unix milliseconds. */
export const endOf = ({ content }: Cache): number => Date.parse(textAt(content, 'expireTime') ?? '') || 0

function decode(text: string | undefined): Cache | undefined {
  const { channel_id, key_id, content } = parseJsonObject(text ?? '') ?? {}
  if (typeof channel_id !== 'number' || typeof key_id !== 'string' || !isObject(content)) return undefined
  return { channel_id, key_id, content }
}
