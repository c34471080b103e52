import { AppError } from '@tollgate/contracts/app-error'
import { MAX_OPEN_RESPONSES, MAX_RESPONSE_BODY, type DeferredRecord } from '@tollgate/contracts/deferred'
import { isObject, parseJson, textAt, type JsonObject } from '@tollgate/providers/json'
import { toResponseId } from '@tollgate/providers/formats/openai-responses/own-ids'
import type { RelayDeps } from '../../deps.ts'
import type { Caller } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { decodeJsonRequest } from '../../transport/body/decode-request.ts'
import { parseJsonObject } from '../../transport/body/parse-json.ts'
import { callDeferred } from '../batches/call-deferred.ts'
import { answerJson } from '../models.ts'
import { operations } from '../operations.ts'
import { followBackground } from './follow-background.ts'

const FLAG = Buffer.from('"background"')

/** The body without its flags if it asks for a background response; undefined: it does not. */
export function readBackground(bytes: Buffer): JsonObject | undefined {
  if (!bytes.includes(FLAG)) return undefined
  const body = parseJsonObject(bytes)
  if (body['background'] !== true) return undefined
  const { background: _background, ...rest } = body
  return rest
}

type Given = { readonly caller: Caller; readonly body: JsonObject }

/**
 * Queues a background response, which the worker then runs as an ordinary request of the same token.
 * https://platform.openai.com/docs/guides/background
 */
export async function queueResponse(context: RequestContext, { caller, body }: Given, deps: RelayDeps): Promise<void> {
  const refuse = (detail: string) => new AppError('request.field', { detail })
  if (body['store'] === false) throw refuse('a background response is stored until it is fetched, so store must not be false')
  // The request itself runs as a whole; its events follow from the answer.
  const { stream, stream_options: _options, ...whole } = body
  const text = JSON.stringify(whole)
  if (text.length > MAX_RESPONSE_BODY) throw new AppError('request.too-large', { limit: MAX_RESPONSE_BODY })
  // What the request would be refused for is refused now.
  decodeJsonRequest(Buffer.from(text), { operation: operations.responses, route: {} })
  const { user_id, token_id } = caller.record
  const id = toResponseId(context)
  const { is_over } = await callDeferred('responseCreate', { user_id, token_id, ip: context.ip, id, body: text }, deps)
  if (is_over) throw new AppError('batches.too-many', { limit: MAX_OPEN_RESPONSES })
  if (stream === true)
    return await followBackground(context, { id, user_id, starting_after: -1, find: () => findBackground({ id, user_id }, deps) })
  const created_at = Math.floor(deps.now() / 1000)
  answerJson(context, render({ id, state: 'pending', outcome: '', status: 0, request_id: '', answer: '', body: text, created_at }))
}

type Own = { readonly id: string; readonly user_id: number }

const boundedId = ({ id, user_id }: Own): Own => ({ user_id, id: id.slice(0, 100) })

/** The user's background response with this id; undefined: there is none. */
export async function findBackground(own: Own, deps: RelayDeps): Promise<JsonObject | undefined> {
  const { response } = await callDeferred('responseFind', boundedId(own), deps)
  return response === null ? undefined : render(response)
}

/** The body of the user's background response with this id; undefined: there is none. */
export async function findBackgroundBody(own: Own, deps: RelayDeps): Promise<Buffer | undefined> {
  const { response } = await callDeferred('responseFind', boundedId(own), deps)
  return response === null ? undefined : Buffer.from(response.body)
}

/** Cancels it, which has no effect on an ended one. */
export async function cancelBackground(own: Own, deps: RelayDeps): Promise<JsonObject> {
  const { response } = await callDeferred('responseCancel', boundedId(own), deps)
  if (response === null) throw new AppError('response.missing', { id: own.id })
  return render(response)
}

/** Deletes it; false: there is none. */
export async function removeBackground(own: Own, deps: RelayDeps): Promise<boolean> {
  const { result } = await callDeferred('responseRemove', boundedId(own), deps)
  if (result === 'open') throw new AppError('request.field', { detail: 'the response has not ended, cancel it first' })
  return result === 'removed'
}

const LOST: Readonly<Record<string, string>> = {
  expired: 'the response was not made within six hours',
  interrupted: 'the answer was lost; the request is not sent again, because it may have been charged',
}

/** A background response as OpenAI shows it. The finished one is the answer under the id that the client knows. */
function render({ id, state, outcome, status, answer, body, created_at }: DeferredRecord): JsonObject {
  const request = parseJson(body)
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
