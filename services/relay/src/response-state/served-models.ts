import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { withTimeout } from '@tollgate/redis/with-timeout'

export type AskedConversation = { readonly user_id: number; readonly conversation: number; readonly asked: string }

/** As long as vendors keep a prompt cached. */
const KEPT_S = 3600
/** The request waits for it. */
const ANSWER_WITHIN_MS = 200

/** Which model of its chain answers a conversation, shared by all relays: a later turn finds its prompt cached there, and one style. */
export class ServedModels {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** Undefined: the requested one, or Redis does not answer. */
  async find(asked: AskedConversation): Promise<string | undefined> {
    const found = await withTimeout(this.#redis.get(keyOf(asked)), ANSWER_WITHIN_MS, 'Redis did not answer').catch(() => null)
    return found ?? undefined
  }

  /** Never rejects: without Redis the next turn begins with the requested model. */
  async keep(asked: AskedConversation, model: string): Promise<void> {
    await this.#redis.set(keyOf(asked), model, 'EX', KEPT_S).catch(() => null)
  }

  async forget(asked: AskedConversation): Promise<void> {
    await this.#redis.del(keyOf(asked)).catch(() => 0)
  }
}

const keyOf = ({ user_id, conversation, asked }: AskedConversation): string => keys.servedModel(user_id, conversation, asked)
