import { AppError } from '@tollgate/contracts/app-error'
import type { Budget } from '@tollgate/shares/budget'
import { mayNameFiles } from '@tollgate/providers/chat/kept-files'
import { factsOf, type ConversationState, type RequestFacts } from '@tollgate/providers/chat/model-request'
import { expandInteraction } from '@tollgate/providers/chat/formats/gemini-interactions/state'
import { expandBody } from '@tollgate/providers/chat/formats/openai-responses/state'
import type { AdmissionQueue } from '../admission/admission-queue.ts'
import type { Settings } from '../config/settings.ts'
import type { ControlPlane } from '../control-plane/client.ts'
import { ClientDisconnectedError } from '../errors/client-disconnected-error.ts'
import type { Content } from '../transport/content.ts'
import { affinityHeaders } from '../request/affinity-headers.ts'
import type { RequestContext } from '../request/context.ts'
import { LocalContent } from '../request/local-content.ts'
import type { Identified, Parsed } from '../request/phases.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { RouteSpec } from './route-spec.ts'
import { cachedTokensIn } from '../response-state/caches.ts'
import { nameOfItem } from '../response-state/records.ts'
import { withoutMember } from '@tollgate/providers/json-splice'
import { refersToState, type ResponseStates } from '../response-state/response-states.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import { collectBody, type Body } from '../transport/body/collect-body.ts'
import type { Pace } from '../transport/body/pace.ts'
import { decodeJsonRequest, decodeRequest } from '../transport/body/decode-request.ts'
import { expandKeptFiles } from '../request/kept-files.ts'
import { readForm } from '../transport/body/read-form.ts'
import { LARGE_BODY, LONG_TEXT, type BodyWorkers } from '../transport/body-workers/body-workers.ts'

type Deps = {
  readonly controlPlane: Pick<ControlPlane, 'askDeferred'>
  readonly bodies: BodyBudget
  readonly pacedBodies: Budget
  readonly bodyWorkers: BodyWorkers
  readonly admissionQueue: AdmissionQueue
  readonly config: { readonly settings: Pick<Settings, 'sensitive' | 'response_state' | 'affinity_rules' | 'takes_client_chains'> }
  readonly responses: ResponseStates
  readonly bodyPace: Pace
  readonly env: { readonly RELAY_MAX_BODY: number }
}

type Reading = RouteSpec & { readonly user_id: number }

/** Collects the body. */
export async function collect({ context, caller }: Identified, { operation }: RouteSpec, deps: Deps): Promise<Body> {
  context.clock.enter('read')
  const onBytes = caller.record.receipt_hashes === true && !context.isDeferred ? context.hashes.start(context.reply) : undefined
  context.reply.proceed()
  const sharedOver = operation.body === 'json' ? LARGE_BODY : Number.POSITIVE_INFINITY
  return await collectBody(context.incoming, {
    max: deps.env.RELAY_MAX_BODY,
    account: deps.bodies.open({ user_id: caller.record.user_id, ip: context.ip }),
    pace: deps.bodyPace,
    isText: operation.body === 'json',
    sharedOver,
    onWait: () => context.permit.release(),
    onBytes,
  })
}

/** Decodes a collected body: a large one in a body worker, which returns the same facts. */
export async function read(
  { context, caller }: Identified,
  { body, ...route }: RouteSpec & { readonly body: Body },
  deps: Deps,
): Promise<Parsed> {
  const reading = { ...route, user_id: caller.record.user_id }
  try {
    const first = await parse(context, body, reading, deps)
    const fallback_models = takesModels(first, deps) ? modelsOf(first) : undefined
    const parsed = fallback_models === undefined ? first : await takeModels(context, { ...reading, parsed: first }, deps)
    const followed = await followState(context, { ...reading, parsed }, deps).catch((error: unknown) => {
      // The refusal comes after the body was parsed, so the parsed body is dropped here.
      parsed.content.drop()
      throw error
    })
    const cached = await followCache(context, { ...reading, parsed: followed }, deps)
    const request = await followFiles(context, { ...reading, parsed: cached }, deps)
    return { context, caller, request: fallback_models === undefined ? request : { ...request, fallback_models } }
  } catch (error) {
    body.release()
    throw error
  }
}

const takesModels = ({ operation, chat }: ParsedRequest, { config }: Deps): boolean =>
  chat.options?.models !== undefined && config.settings.takes_client_chains && operation.canFallBack === true

const modelsOf = ({ chat }: ParsedRequest): string[] =>
  (chat.other_models ?? []).flatMap(({ model, option }) => (option === 'models' ? [model] : []))

/** Takes the client's own chain of models out of the body, so that no vendor follows it as well; the body is then read again. */
async function takeModels(
  context: RequestContext,
  { parsed, ...reading }: Reading & { readonly parsed: ParsedRequest },
  deps: Deps,
): Promise<ParsedRequest> {
  const body = enlarge(parsed.body, withoutMember(parsed.body.bytes, 'models'), deps.bodies)
  parsed.content.drop()
  try {
    return await parse(context, body, reading, deps)
  } catch (error) {
    body.release()
    throw error
  }
}

/** Adds what a request continues: a thread or container of the vendor, or a conversation. */
async function followState(
  context: RequestContext,
  reading: Reading & { readonly parsed: ParsedRequest },
  deps: Deps,
): Promise<ParsedRequest> {
  const { parsed } = reading
  const { state, thread, container } = parsed.chat
  if (thread !== undefined) return await followThread(context, { ...reading, thread }, deps)
  if (container !== undefined) return await followContainer(context, { ...reading, id: container.id }, deps)
  return state === undefined ? parsed : await follow(context, { ...reading, state }, deps)
}

/** Puts files of the user's into the prompt that names them; the body is then read again. */
async function followFiles(
  context: RequestContext,
  { parsed, ...reading }: Reading & { readonly parsed: ParsedRequest },
  deps: Deps,
): Promise<ParsedRequest> {
  if (reading.operation.body !== 'json' || !mayNameFiles(parsed.body.bytes)) return parsed
  context.permit.release()
  const drop = (error: unknown): never => {
    parsed.content.drop()
    throw error
  }
  const { reply, clock } = context
  const bytes = await expandKeptFiles({ reply, clock, raw: parsed.body.bytes, user_id: reading.user_id }, deps).catch(drop)
  if (bytes === undefined) return parsed
  const body = enlarge(parsed.body, bytes, deps.bodies)
  parsed.content.drop()
  try {
    const again = await parse(context, body, reading, deps)
    const { state } = parsed.chat
    return { ...parsed, ...again, chat: { ...again.chat, ...(state === undefined ? {} : { state }) } }
  } catch (error) {
    body.release()
    throw error
  }
}

async function parse(context: RequestContext, body: Body, reading: Reading, deps: Deps): Promise<ParsedRequest> {
  const { operation } = reading
  const isLarge = operation.body === 'json' && body.bytes.length > LARGE_BODY
  const { facts, content } = isLarge
    ? await readInWorker(context, body.bytes, reading, deps)
    : await readHere(context, body.bytes, reading, deps)
  return { body, operation, content_type: context.incoming.headers['content-type'] ?? '', chat: facts, content }
}

type Following = Reading & { readonly parsed: ParsedRequest; readonly state: ConversationState }

/** Adds the conversation that a request continues. Items that this gateway keeps are put into the body, which is then read again. */
async function follow(context: RequestContext, { parsed, state, ...reading }: Following, deps: Deps): Promise<ParsedRequest> {
  const is_stored = state.is_stored && deps.config.settings.response_state.ttl_s > 0
  const { previous_response_id } = state
  const stateFor = (found: ConversationState) => ({
    ...found,
    is_stored,
    ...(previous_response_id === undefined ? {} : { previous_response_id }),
  })
  if (!refersToState(state)) return { ...parsed, chat: { ...parsed.chat, state: stateFor(state) }, conversation: { is_stored, chain: [] } }
  context.permit.release()
  if (state.conversation_id !== undefined)
    return await followConversation(context, { ...reading, parsed, state, id: state.conversation_id }, deps)
  const { expansion, chain, bound } = await deps.responses.resolve(reading.user_id, state)
  if (expansion === undefined)
    return { ...parsed, chat: { ...parsed.chat, state: stateFor(state) }, conversation: { is_stored, chain, bound } }
  const expand = state.kind === 'interaction' ? expandInteraction : expandBody
  const { bytes, input } = expand(parsed.body.bytes, expansion)
  const body = enlarge(parsed.body, bytes, deps.bodies)
  parsed.content.drop()
  try {
    const again = await parse(context, body, reading, deps)
    const chat = { ...again.chat, state: stateFor(again.chat.state ?? state) }
    return { ...again, chat, conversation: { is_stored, chain, bound, input } }
  } catch (error) {
    body.release()
    throw error
  }
}

type InConversation = Following & { readonly id: string }

/** Puts the items of a kept conversation before the new ones. What only one vendor can read of them binds the request to it. */
async function followConversation(
  context: RequestContext,
  { parsed, state, id, ...reading }: InConversation,
  deps: Deps,
): Promise<ParsedRequest> {
  const { user_id } = reading
  const { items: kept } = await deps.responses.conversations.find(user_id, id)
  const own = await deps.responses.resolve(user_id, state)
  const history = kept.map((item) => JSON.stringify(item)).join(',')
  const { bytes, input } = expandBody(parsed.body.bytes, { history, items: own.expansion?.items ?? new Map(), is_conversation: true })
  const body = enlarge(parsed.body, bytes, deps.bodies)
  parsed.content.drop()
  try {
    const again = await parse(context, body, reading, deps)
    const found = again.chat.state ?? state
    const { bound } = await deps.responses.resolve(user_id, { ...found, item_ids: [] })
    const chat = { ...again.chat, state: { ...found, is_stored: state.is_stored && deps.config.settings.response_state.ttl_s > 0 } }
    const conversation = { is_stored: chat.state.is_stored, chain: [], bound: own.bound ?? bound, input, conversation_id: id }
    return { ...again, chat, conversation }
  } catch (error) {
    body.release()
    throw error
  }
}

type Threading = Reading & { readonly parsed: ParsedRequest; readonly thread: NonNullable<RequestFacts['thread']> }

/** A conversation that the vendor keeps goes on where it began: no other account knows it. */
async function followThread(context: RequestContext, { parsed, thread, user_id }: Threading, deps: Deps): Promise<ParsedRequest> {
  const conversation = { is_stored: deps.config.settings.response_state.ttl_s > 0, chain: [] }
  const { previous_message_id: id } = thread
  if (id === undefined) return { ...parsed, conversation }
  context.permit.release()
  const refusal = new AppError('thread.missing', { id })
  const found = await deps.responses.find(user_id, id)
  if (found?.answer.kind !== 'vendor') throw refusal
  const { channel_id, key_id } = found.answer
  return { ...parsed, conversation: { ...conversation, bound: { channel_id, key_id, refusal } } }
}

type InContainer = Reading & { readonly parsed: ParsedRequest; readonly id: string | undefined }

/** A container belongs to the account that made it. One that this user was not given here passes as it is. */
async function followContainer(context: RequestContext, { parsed, id, user_id }: InContainer, deps: Deps): Promise<ParsedRequest> {
  const conversation = { is_stored: deps.config.settings.response_state.ttl_s > 0, chain: [] }
  if (id === undefined) return { ...parsed, conversation }
  context.permit.release()
  const found = await deps.responses.find(user_id, nameOfItem(id))
  if (found?.answer.kind !== 'vendor') return { ...parsed, conversation }
  const { channel_id, key_id } = found.answer
  const refusal = new AppError('request.field', { detail: `container: ${id} is no longer available`, field: 'container' })
  return { ...parsed, conversation: { ...conversation, bound: { channel_id, key_id, refusal } } }
}

/** A prompt that a vendor caches belongs to the account that made it, and here to the user who did. */
async function followCache(
  context: RequestContext,
  { parsed, user_id }: Reading & { readonly parsed: ParsedRequest },
  deps: Deps,
): Promise<ParsedRequest> {
  const { cached_content: id } = parsed.chat
  if (id === undefined) return parsed
  context.permit.release()
  const { conversation = { is_stored: false, chain: [] } } = parsed
  const drop = (error: unknown): never => {
    parsed.content.drop()
    throw error
  }
  const cache = await deps.responses.caches.find(user_id, id).catch(drop)
  const { channel_id, key_id } = cache
  const refusal = new AppError('cache.missing', { id })
  const before = conversation.bound
  if (before !== undefined && (before.channel_id !== channel_id || before.key_id !== key_id)) return drop(refusal)
  return { ...parsed, cached_tokens: cachedTokensIn(cache), conversation: { ...conversation, bound: { channel_id, key_id, refusal } } }
}

/** The body with other bytes; what it grew by also counts in the budget. */
function enlarge(before: Body, bytes: Buffer, budget: BodyBudget): Body {
  const grown = Math.max(0, bytes.length - before.bytes.length)
  if (!budget.take(grown)) throw new AppError('request.busy')
  let [held, left] = [bytes.length > LARGE_BODY ? toShared(bytes) : bytes, grown]
  return {
    // oxlint-disable-next-line tollgate/no-object-getter -- made for requests that continue a kept conversation only
    get bytes() {
      return held
    },
    release: () => {
      before.release()
      budget.give(left)
      left = 0
      held = NOTHING
    },
  }
}

const NOTHING = Buffer.alloc(0)

/** A body worker reads shared memory without a copy. */
function toShared(bytes: Buffer): Buffer {
  const shared = Buffer.from(new SharedArrayBuffer(bytes.length))
  bytes.copy(shared)
  return shared
}

type Read = { readonly facts: RequestFacts; readonly content: Content }

async function readInWorker(context: RequestContext, bytes: Buffer, reading: Reading, { bodyWorkers, config }: Deps): Promise<Read> {
  context.permit.release()
  const read = await bodyWorkers.read({
    ...reading,
    bytes,
    path: context.path,
    headers: affinityHeaders(context, config.settings.affinity_rules),
  })
  if (!context.reply.isClosed) return read
  read.content.drop()
  throw new ClientDisconnectedError()
}

async function readHere(
  context: RequestContext,
  bytes: Buffer,
  reading: Reading,
  { bodyWorkers, config, admissionQueue }: Deps,
): Promise<Read> {
  const { operation } = reading
  const { incoming } = context
  if (context.permit.isEmpty) {
    const acquired = admissionQueue.acquire(context.reply)
    context.permit.fill(acquired instanceof Promise ? await acquired : acquired)
  }
  const request =
    operation.body === 'json' ? decodeJsonRequest(bytes, reading) : decodeRequest(await readForm(incoming, bytes, operation), reading)
  const content = new LocalContent(operation, request)
  const isLong = bytes.length > LONG_TEXT && request.texts.reduce((length, text) => length + text.length, 0) > LONG_TEXT
  if (isLong && config.settings.sensitive !== undefined) {
    context.permit.release()
    content.setHasSensitive(await bodyWorkers.search(request.texts))
  }
  return { facts: factsOf(request), content }
}
