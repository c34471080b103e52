import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import type { ConversationState } from '@tollgate/providers/chat/model-request'
import { isInteractionId } from '@tollgate/providers/chat/formats/gemini-interactions/own-ids'
import { inputStepsOf } from '@tollgate/providers/chat/formats/gemini-interactions/state'
import { ownItemOf } from '@tollgate/providers/chat/formats/openai-responses/own-ids'
import { inputItemsOf, type Expansion } from '@tollgate/providers/chat/formats/openai-responses/state'
import { isObject, objectsAt, textAt, type JsonObject } from '@tollgate/providers/json'
import type { Redis } from '@tollgate/redis/connect'
import { getResponseState, putResponseState, removeResponseState, type StateRecord } from '@tollgate/redis/stores/response-state'
import { withTimeout } from '@tollgate/redis/with-timeout'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Settings } from '../config/settings.ts'
import type { ControlPlane } from '../control-plane/client.ts'
import type { Bound } from '../request/bound.ts'
import { Caches } from './caches.ts'
import { Conversations, type Records } from './conversations.ts'
import { decodeAnswer, encodeAnswer, nameOfInput, nameOfItem, sealRecord, type Kept, type KeptAnswer, type VendorKept } from './records.ts'

/** Resolved references of a request. */
export type Resolved = {
  /** Undefined: every reference is the vendor's own. */
  readonly expansion: Expansion | undefined
  /** Ids of the responses before the new one, oldest first. */
  readonly chain: readonly string[]
  readonly bound: Bound | undefined
}

/** Where an answer came from, and the conversation it belongs to. */
export type NewAnswer = {
  readonly user_id: number
  readonly chain: readonly string[]
  /** Set if the vendor's own answer was passed on: the vendor keeps it. */
  readonly made_by: Omit<VendorKept, 'kind'> | undefined
}

/** Answers of the Responses API that later requests can refer to, sealed in Redis per user. */
export type ResponseStates = {
  /** Throws OpenAI's errors for references that are not this user's, or are not kept. */
  resolve(user_id: number, state: ConversationState): Promise<Resolved>
  /** Keeps the new items of a request, taken from its body; returns when they can be read. Never rejects. */
  keepInput(input: { readonly user_id: number; readonly response_id: string; readonly items: string }): Promise<void>
  /** Keeps an answer; returns when it can be read. Never rejects. */
  keepAnswer(answer: JsonObject, from: NewAnswer): Promise<void>
  /** The answer and, for one that this gateway keeps, the items of its input as JSON without brackets. */
  find(user_id: number, response_id: string): Promise<{ readonly answer: KeptAnswer; readonly input: string | undefined } | undefined>
  remove(user_id: number, response_id: string): Promise<void>
  readonly conversations: Conversations
  readonly caches: Caches
}

type Options = {
  readonly controlPlane: Pick<ControlPlane, 'askDeferred'>
  readonly redis: Redis
  readonly sealer: Sealer
  readonly settings: () => Pick<Settings, 'response_state'>
  readonly now: () => number
  readonly log: Logger
}

/** Longer than a slow moment of Redis, and short enough for a client that waits. */
const TIMEOUT_MS = 2000
const MAX_REFERENCES = 1000
const MAX_TURNS = 1000
/** No id is longer. */
const MAX_NAME = 256
/** Sealing writes base64 and adds a nonce and a tag; the store adds its own overhead per record. */
const SEALED_FACTOR = 1.5
const SEALED_OVERHEAD = 1024
/** Output items of one vendor's answer whose ids are remembered. */
const MAX_ITEMS = 100

export function createResponseStates(options: Options): ResponseStates {
  return new RedisResponseStates(options)
}

/** True if a request refers to kept answers. */
export function refersToState({ previous_response_id, conversation_id, item_ids, hinted_ids }: ConversationState): boolean {
  return previous_response_id !== undefined || conversation_id !== undefined || item_ids.length > 0 || hinted_ids.length > 0
}

/** The new items of a body, if they are small enough to be kept. */
export function keepableInput(bytes: Buffer, max_bytes: number, kind?: ConversationState['kind']): string | undefined {
  if (bytes.length > max_bytes) return undefined
  return kind === 'interaction' ? inputStepsOf(bytes) : inputItemsOf(bytes)
}

class RedisResponseStates implements ResponseStates {
  readonly #options: Options
  readonly conversations: Conversations
  readonly caches: Caches

  constructor(options: Options) {
    this.#options = options
    const records: Records = {
      read: async (user_id, name) => (await this.#read(user_id, [name])).get(name),
      write: async (user_id, name, text) => await this.#keep(user_id, [[name, text]]),
      remove: async (user_id, name) => await this.remove(user_id, name),
    }
    this.conversations = new Conversations(records)
    this.caches = new Caches(records, options.now)
  }

  async resolve(user_id: number, state: ConversationState): Promise<Resolved> {
    const { previous_response_id, item_ids, hinted_ids } = state
    if (item_ids.length > MAX_REFERENCES)
      throw new AppError('request.field', { detail: `input has more than ${MAX_REFERENCES} references`, field: 'input' })
    let records = await this.#read(user_id, namesOf(state))
    const items = new Map<string, string>()
    let bound: Bound | undefined
    let history: string | undefined
    let chain: readonly string[] = []
    let made_id: string | undefined
    const bind = ({ channel_id, key_id }: VendorKept, refusal: AppError): void => {
      if (bound !== undefined && (bound.channel_id !== channel_id || bound.key_id !== key_id)) throw refusal
      bound ??= { channel_id, key_id, refusal }
    }
    if (previous_response_id !== undefined) {
      const missing = missingPrevious(previous_response_id, state.kind)
      if (isInteractionId(previous_response_id) !== (state.kind === 'interaction')) throw missing
      if (!records.has(previous_response_id)) {
        made_id = await this.#findMade(user_id, previous_response_id)
        if (made_id !== undefined) records = new Map([...records, ...(await this.#read(user_id, [made_id, nameOfInput(made_id)]))])
      }
      const id = made_id ?? previous_response_id
      const previous = answerIn(records, id)
      if (previous === undefined) throw missing
      if (previous.kind === 'vendor') bind(previous, missing)
      else {
        chain = [...previous.chain, id]
        history = await this.#historyOf(user_id, { chain, previous, records }, missing)
      }
    }
    for (const id of item_ids) {
      const missing = new AppError('response.item-missing', { id, field: 'input' })
      const own = ownItemOf(id)
      const kept = own === undefined ? undefined : answerIn(records, own.response_id)
      const item = own === undefined || kept?.kind !== 'kept' ? undefined : itemAt(kept, own.index)
      const vendor = answerIn(records, nameOfItem(id))
      if (item !== undefined) items.set(id, item)
      else if (vendor?.kind === 'vendor') bind(vendor, missing)
      else throw missing
    }
    for (const id of hinted_ids) {
      const vendor = answerIn(records, nameOfItem(id))
      if (vendor?.kind === 'vendor') bind(vendor, new AppError('response.item-missing', { id, field: 'input' }))
    }
    const isExpanded = history !== undefined || items.size > 0 || made_id !== undefined
    const known = made_id === undefined ? {} : { previous: made_id }
    return { expansion: isExpanded ? { history, ...known, items } : undefined, chain, bound }
  }

  async keepInput({ user_id, response_id, items }: { user_id: number; response_id: string; items: string }): Promise<void> {
    await this.#keep(user_id, [[nameOfInput(response_id), items]])
  }

  async keepAnswer(answer: JsonObject, { user_id, chain, made_by }: NewAnswer): Promise<void> {
    const id = textAt(answer, 'id')
    if (id === undefined || answer['store'] === false) return
    if (made_by !== undefined) {
      const text = encodeAnswer({ kind: 'vendor', ...made_by })
      const item_ids = objectsAt(answer, 'output').flatMap((item) => textAt(item, 'id') ?? [])
      await this.#keep(
        user_id,
        [id, ...item_ids.slice(0, MAX_ITEMS).map(nameOfItem)].map((name) => [name, text]),
      )
      return
    }
    const { output, ...response } = answer
    const items = Array.isArray(output) ? output.filter(isObject) : []
    const kept: Kept = {
      kind: 'kept',
      chain,
      item_ids: items.map((item) => textAt(item, 'id') ?? ''),
      // The id of a step is the one that its result names.
      output: items.map(({ id: item_id, ...item }) => JSON.stringify(isInteractionId(id) ? { ...item, id: item_id } : item)).join(','),
      response: JSON.stringify(response),
    }
    await this.#keep(user_id, [[id, encodeAnswer(kept)]])
  }

  async find(user_id: number, response_id: string): Promise<{ answer: KeptAnswer; input: string | undefined } | undefined> {
    const records = await this.#read(user_id, [response_id, nameOfInput(response_id)])
    const answer = answerIn(records, response_id)
    return answer === undefined ? undefined : { answer, input: records.get(nameOfInput(response_id)) }
  }

  async remove(user_id: number, response_id: string): Promise<void> {
    await this.#answered(removeResponseState(this.#options.redis, user_id, [response_id, nameOfInput(response_id)]))
  }

  /** The id of the answer that a background response has, which was made under an id of its own; undefined: there is none yet. */
  async #findMade(user_id: number, id: string): Promise<string | undefined> {
    const { response } = await this.#answered(this.#options.controlPlane.askDeferred('responseFind', { user_id, id: id.slice(0, 100) }))
    return response?.outcome === 'answered' && response.made_id !== '' ? response.made_id : undefined
  }

  /** All turns up to the last response; refused if one of them is no longer kept. */
  async #historyOf(
    user_id: number,
    { chain, previous, records }: { chain: readonly string[]; previous: Kept; records: ReadonlyMap<string, string> },
    missing: AppError,
  ): Promise<string> {
    const { max_bytes } = this.#options.settings().response_state
    if (chain.length > MAX_TURNS) throw tooLong(max_bytes)
    const earlier = await this.#read(
      user_id,
      previous.chain.flatMap((id) => [id, nameOfInput(id)]),
    )
    const pieces: string[] = []
    let length = 0
    for (const id of chain) {
      const from = earlier.has(id) ? earlier : records
      const [answer, input] = [answerIn(from, id), from.get(nameOfInput(id))]
      if (answer?.kind !== 'kept' || input === undefined) throw missing
      length += input.length + answer.output.length
      if (length > max_bytes) throw tooLong(max_bytes)
      for (const piece of [input, answer.output]) if (piece !== '') pieces.push(piece)
    }
    return pieces.join(',')
  }

  /** False: nothing was kept. */
  async #keep(user_id: number, records: readonly (readonly [name: string, text: string])[]): Promise<boolean> {
    const { redis, sealer, now, log, settings } = this.#options
    const { ttl_s, max_bytes, user_bytes } = settings().response_state
    const small = records.filter(([, text]) => text.length <= max_bytes)
    if (ttl_s === 0 || small.length === 0) return false
    try {
      const sealed: StateRecord[] = small.map(([name, text]) => sealRecord(sealer, user_id, name, text))
      await withTimeout(putResponseState(redis, user_id, sealed, { now: now(), ttl_s, max_bytes: user_bytes }), TIMEOUT_MS, LATE)
      return true
    } catch (err) {
      // The answer was delivered and charged; a later request that refers to it is refused as not found.
      log.warn({ err, user_id }, 'A response could not be kept for later turns')
      return false
    }
  }

  /** The texts of records by name; missing ones are absent. */
  async #read(user_id: number, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { redis, now, settings } = this.#options
    const { ttl_s, max_bytes } = settings().response_state
    const wanted = [...new Set(names)].filter((name) => name.length <= MAX_NAME)
    if (ttl_s === 0 || wanted.length === 0) return new Map()
    const reading = { now: now(), ttl_s, max_bytes: SEALED_FACTOR * max_bytes + SEALED_OVERHEAD * wanted.length }
    const values = await this.#answered(getResponseState(redis, user_id, wanted, reading))
    if (values === 'too-large') throw tooLong(max_bytes)
    return new Map(wanted.flatMap((name, at) => this.#unseal(user_id, name, values[at])))
  }

  #unseal(user_id: number, name: string, value: string | undefined): [string, string][] {
    const { sealer, log } = this.#options
    if (value === undefined) return []
    try {
      return [[name, sealer.unseal(value, sealedBy.response(user_id, name))]]
    } catch (err) {
      // Sealed with a key that is no longer configured: the record is lost.
      log.warn({ err, user_id }, 'A kept response could not be unsealed')
      return []
    }
  }

  async #answered<T>(asked: Promise<T>): Promise<T> {
    return await withTimeout(asked, TIMEOUT_MS, LATE).catch((cause: unknown) => {
      throw new AppError('response.unavailable', {}, { cause })
    })
  }
}

function missingPrevious(id: string, kind: ConversationState['kind']): AppError {
  return new AppError('response.previous-missing', {
    id,
    field: kind === 'interaction' ? 'previous_interaction_id' : 'previous_response_id',
  })
}

const tooLong = (max_bytes: number) => new AppError('response.too-long', { limit: max_bytes / 1024, field: 'previous_response_id' })

const LATE = 'Redis did not answer about a kept response'

function namesOf({ previous_response_id, item_ids, hinted_ids }: ConversationState): string[] {
  const own = item_ids.flatMap((id) => ownItemOf(id)?.response_id ?? [])
  const previous = previous_response_id === undefined ? [] : [previous_response_id, nameOfInput(previous_response_id)]
  return [...previous, ...own, ...item_ids.map(nameOfItem), ...hinted_ids.slice(0, MAX_ITEMS).map(nameOfItem)]
}

function answerIn(records: ReadonlyMap<string, string>, name: string): KeptAnswer | undefined {
  const text = records.get(name)
  return text === undefined ? undefined : decodeAnswer(text)
}

function itemAt({ output }: Kept, index: number): string | undefined {
  const items: unknown = JSON.parse(`[${output}]`)
  const item: unknown = Array.isArray(items) ? items[index] : undefined
  return item === undefined ? undefined : JSON.stringify(item)
}
