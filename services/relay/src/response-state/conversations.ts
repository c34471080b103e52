import { AppError } from '@tollgate/contracts/app-error'
import { isObject, objectAt, parseJson, parseJsonObject, type JsonObject } from '@tollgate/providers/json'
import { toConversationItems } from '@tollgate/providers/chat/formats/openai-responses/conversation-items'

/** A conversation of the Responses API that this gateway keeps: its items, and what the client says about it. */
export type Conversation = {
  readonly id: string
  readonly created_at: number
  readonly metadata: JsonObject
  readonly items: readonly JsonObject[]
  /** The number of the next item that gets its id here. */
  readonly next: number
}

/** Where records are kept, sealed and per user. */
export type Records = {
  read(user_id: number, name: string): Promise<string | undefined>
  /** False: it is too long, or nothing is kept. */
  write(user_id: number, name: string, text: string): Promise<boolean>
  remove(user_id: number, name: string): Promise<void>
}

const PREFIX = 'conv_'

/** Conversations, changed one response at a time: of two that end at once the later one counts. */
export class Conversations {
  readonly #records: Records

  constructor(records: Records) {
    this.#records = records
  }

  /** Throws for one that is not this user's, or is not kept any more. */
  async find(user_id: number, id: string): Promise<Conversation> {
    const text = id.startsWith(PREFIX) ? await this.#records.read(user_id, id) : undefined
    const found = text === undefined ? undefined : parseJsonObject(text)
    if (found === undefined) throw new AppError('conversation.missing', { id })
    const { created_at, next, items } = found
    return {
      id,
      created_at: Number(created_at),
      metadata: objectAt(found, 'metadata'),
      items: Array.isArray(items) ? items.filter(isObject) : [],
      next: Number(next),
    }
  }

  async create(user_id: number, conversation: Omit<Conversation, 'items' | 'next'>, items: readonly unknown[]): Promise<Conversation> {
    return await this.#save(user_id, withItems({ ...conversation, items: [], next: 0 }, items))
  }

  async change(user_id: number, conversation: Conversation): Promise<Conversation> {
    return await this.#save(user_id, conversation)
  }

  /** Adds items, and returns them with their ids. */
  async add(user_id: number, id: string, items: readonly unknown[]): Promise<readonly JsonObject[]> {
    const before = await this.find(user_id, id)
    const after = await this.#save(user_id, withItems(before, items))
    return after.items.slice(before.items.length)
  }

  /** Adds a turn after its answer. The answer was delivered and charged: what cannot be kept is lost. */
  async addTurn(user_id: number, id: string, { input, output }: { readonly input: string; readonly output: unknown }): Promise<void> {
    const given = parseJson(`[${input}]`)
    const items: unknown[] = [...(Array.isArray(given) ? given : []), ...(Array.isArray(output) ? output : [])]
    await this.add(user_id, id, items).catch(() => undefined)
  }

  async remove(user_id: number, id: string): Promise<void> {
    await this.find(user_id, id)
    await this.#records.remove(user_id, id)
  }

  async #save(user_id: number, conversation: Conversation): Promise<Conversation> {
    const { id, ...kept } = conversation
    if (!(await this.#records.write(user_id, id, JSON.stringify(kept)))) throw new AppError('conversation.too-long', { id })
    return conversation
  }
}

function withItems(conversation: Conversation, items: readonly unknown[]): Conversation {
  const { id, next } = conversation
  const added = toConversationItems(items, { base: id.slice(PREFIX.length), from: next })
  return { ...conversation, items: [...conversation.items, ...added], next: next + added.length }
}
