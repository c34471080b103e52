import { AppError } from '@tollgate/contracts/app-error'
import {
  MAX_INLINE_BYTES,
  MAX_RESPONSE_BODY,
  type BackgroundEndpoint,
  type DeferredPart,
  type DeferredRecord,
} from '@tollgate/contracts/deferred/deferred'
import type { Operation } from '@tollgate/providers/calls/operation'
import { isObject, parseJson, textAt, type JsonObject } from '@tollgate/providers/json'
import { toResponseId } from '@tollgate/providers/chat/formats/openai-responses/own-ids'
import type { RelayDeps } from '../../deps.ts'
import type { Caller } from '../../request/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { read } from '../../pipeline/read.ts'
import { requireHold } from '../../pipeline/require-hold.ts'
import { dropBody } from '../../request/parsed-request.ts'
import type { DeferredBody } from '../../pipeline/route-spec.ts'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { atPace, PACES, takePlace } from '../../control-plane/paced-bodies.ts'
import { sendPieces } from '../batches/send-pieces.ts'
import { answerJson } from '../models.ts'
import { operations } from '../../operations.ts'
import { followBackground } from './follow-background.ts'

type Given = { readonly caller: Caller; readonly body: DeferredBody }

/**
 * Queues a background response, which the worker then runs as an ordinary request of the same token.
 * https://platform.openai.com/docs/guides/background
 */
export async function queueResponse(context: RequestContext, { caller, body }: Given, deps: RelayDeps): Promise<void> {
  const { is_stream, is_unstored, facts } = body
  if (is_unstored)
    throw new AppError('request.field', { detail: 'a background response is stored until it is fetched, so store must not be false' })
  const { user_id } = caller.record
  const id = toResponseId(context)
  await queue(context, { caller, body, id, operation: operations.responses, endpoint: '/v1/responses' }, deps)
  if (is_stream)
    return await followBackground(context, { id, user_id, starting_after: -1, find: () => findBackground({ id, user_id }, deps) })
  answerJson(context, render(newRecord({ id, facts }, deps)))
}

type Queued = Given & { readonly id: string; readonly operation: Operation; readonly endpoint: BackgroundEndpoint }

/** Stores a request for the worker; what a direct call would be refused for is refused at once. */
export async function queue(context: RequestContext, { caller, body, id, operation, endpoint }: Queued, deps: RelayDeps): Promise<void> {
  const { bytes } = body
  if (bytes.length > MAX_RESPONSE_BODY) throw new AppError('request.too-large', { limit: MAX_RESPONSE_BODY })
  const { user_id } = caller.record
  if (bytes.length <= MAX_INLINE_BYTES) return await keep(context, { caller, body, id, operation, endpoint }, deps)
  const { reply, clock } = context
  await atPace(deps.pacedBodies, { user: user_id, reply, clock, bytes: bytes.length, pace: PACES.requests }, async () => {
    const place = await takePlace(deps.storedBodies, { user: user_id, reply })
    try {
      await keep(context, { caller, body, id, operation, endpoint }, deps)
    } finally {
      place.release()
    }
  })
}

async function keep(
  context: RequestContext,
  { caller, body: { bytes, facts }, id, operation, endpoint }: Queued,
  deps: RelayDeps,
): Promise<void> {
  await refuseNow(context, { caller, bytes, operation }, deps)
  context.permit.release()
  await store(context, { caller, id, facts, bytes, endpoint }, deps)
}

/** The control plane's record of a request that was just stored. */
export function newRecord({ id, facts }: Pick<DeferredRecord, 'id' | 'facts'>, deps: RelayDeps): DeferredRecord {
  const fresh = { state: 'pending', outcome: '', status: 0, request_id: '', answer: '', has_answer_pieces: false, made_id: '' } as const
  return { ...fresh, id, facts, created_at: Math.floor(deps.now() / 1000) }
}

type Stored = { readonly caller: Caller; readonly bytes: Buffer }

/** Refuses now a request that would be refused when it is sent. */
async function refuseNow(
  context: RequestContext,
  { caller, bytes, operation }: Stored & { readonly operation: Operation },
  deps: RelayDeps,
): Promise<void> {
  const body = { bytes, release: () => undefined }
  const parsed = await read({ context, caller }, { operation, route: {}, body }, deps)
  try {
    await requireHold(parsed, deps)
  } finally {
    dropBody(parsed.request)
  }
}

type New = Stored & { readonly id: string; readonly facts: string; readonly endpoint: BackgroundEndpoint }

/** A long body follows in pieces, so that no call to the control plane is large. */
async function store({ ip }: RequestContext, { caller, id, facts, bytes, endpoint }: New, deps: RelayDeps): Promise<void> {
  const { user_id, token_id } = caller.record
  const body = bytes.length > MAX_INLINE_BYTES ? null : bytes.toString()
  const { result, limit = 0 } = await callDeferred(
    'responseCreate',
    { user_id, token_id, ip, id, facts, endpoint, bytes: bytes.length, body },
    deps,
  )
  if (result === 'open') throw new AppError('batches.too-many', { limit })
  if (result === 'stored') throw new AppError('batches.responses-full')
  if (result === 'full') throw new AppError('batches.full')
  if (body !== null) return
  await sendPieces(bytes, (piece) => callDeferred('responseAppend', { user_id, id, ...piece }, deps))
  await callDeferred('responseStart', { user_id, id }, deps)
}

type Own = { readonly id: string; readonly user_id: number }

const boundedId = ({ id, user_id }: Own): Own => ({ user_id, id: id.slice(0, 100) })

/** The user's background response with this id; undefined: there is none. */
export async function findBackground(own: Own, deps: RelayDeps): Promise<JsonObject | undefined> {
  const record = await findQueued(own, deps)
  return record === undefined ? undefined : render(record)
}

/** The same as it is stored. */
export async function findQueued(own: Own, deps: RelayDeps): Promise<DeferredRecord | undefined> {
  const { response } = await callDeferred('responseFind', boundedId(own), deps)
  return response === null ? undefined : await withAnswer(response, own, deps)
}

/**
 * Where the input of the user's background response is: in its body until it ends, then with the answer that was kept under this id;
 * undefined: there is no such response.
 */
export async function findBackgroundInput(
  own: Own,
  deps: RelayDeps,
): Promise<{ readonly body: Buffer } | { readonly kept_as: string } | undefined> {
  const { response } = await callDeferred('responseFind', boundedId(own), deps)
  if (response === null) return undefined
  if (response.state !== 'ended') return { body: await readPart(own, 'body', deps) }
  return { kept_as: response.made_id }
}

async function withAnswer(response: DeferredRecord, own: Own, deps: RelayDeps): Promise<DeferredRecord> {
  return response.has_answer_pieces ? { ...response, answer: (await readPart(own, 'answer', deps)).toString() } : response
}

/** A long body or answer, read piece by piece. */
async function readPart(own: Own, part: DeferredPart, deps: RelayDeps): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let n = 0; ; n += 1) {
    const { content } = await callDeferred('responsePiece', { ...boundedId(own), part, n }, deps)
    if (content === null) return Buffer.concat(pieces)
    pieces.push(Buffer.from(content, 'base64'))
  }
}

/** Cancels it, which has no effect on an ended one. */
export async function cancelBackground(own: Own, deps: RelayDeps): Promise<JsonObject> {
  return render(await cancelQueued(own, deps))
}

export async function cancelQueued(own: Own, deps: RelayDeps): Promise<DeferredRecord> {
  const { response } = await callDeferred('responseCancel', boundedId(own), deps)
  if (response === null) throw new AppError('response.missing', { id: own.id })
  return await withAnswer(response, own, deps)
}

/** Deletes it; false: there is none. */
export async function removeBackground(own: Own, deps: RelayDeps): Promise<boolean> {
  const { result } = await callDeferred('responseRemove', boundedId(own), deps)
  if (result === 'open') throw new AppError('request.field', { detail: 'the response has not ended, cancel it first' })
  return result === 'removed'
}

export const LOST: Readonly<Record<string, string>> = {
  expired: 'the response was not made within six hours',
  interrupted: 'the answer was lost; the request is not sent again, because it may have been charged',
}

/** A background response as OpenAI shows it. The finished one is the answer under the id that the client knows. */
function render({ id, state, outcome, status, answer, facts, created_at }: DeferredRecord): JsonObject {
  const request = parseJson(facts)
  const asked = isObject(request) ? request : {}
  const empty = {
    id,
    object: 'response',
    created_at,
    background: true,
    error: null,
    incomplete_details: null,
    instructions: asked['instructions'] ?? null,
    max_output_tokens: asked['max_output_tokens'] ?? null,
    metadata: asked['metadata'] ?? {},
    model: asked['model'],
    output: [],
    parallel_tool_calls: asked['parallel_tool_calls'] ?? true,
    previous_response_id: asked['previous_response_id'] ?? null,
    temperature: asked['temperature'] ?? null,
    tool_choice: asked['tool_choice'] ?? 'auto',
    tools: asked['tools'] ?? [],
    top_p: asked['top_p'] ?? null,
    usage: null,
  }
  if (state !== 'ended') return { ...empty, status: state === 'pending' ? 'queued' : 'in_progress' }
  if (outcome === 'cancelled') return { ...empty, status: 'cancelled' }
  const answered = parseJson(answer)
  if (outcome === 'answered' && status === 200 && isObject(answered)) return { ...answered, id, background: true }
  return { ...empty, status: 'failed', error: errorOf(outcome, answered) }
}

function errorOf(outcome: string, answered: unknown): JsonObject {
  const lost = LOST[outcome]
  if (lost !== undefined) return { code: outcome, message: lost }
  const error = isObject(answered) && isObject(answered['error']) ? answered['error'] : {}
  return { code: textAt(error, 'code') ?? 'server_error', message: textAt(error, 'message') ?? 'the request failed' }
}
