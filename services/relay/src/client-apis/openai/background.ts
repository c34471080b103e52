import { AppError } from '@tollgate/contracts/app-error'
import { MAX_OPEN_RESPONSES, MAX_RESPONSE_BODY, type DeferredRecord } from '@tollgate/contracts/deferred'
import { isObject, parseJson, textAt, type JsonObject } from '@tollgate/providers/json'
import { toResponseId } from '@tollgate/providers/formats/openai-responses/own-ids'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS, type Caller } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { decodeJsonRequest } from '../../transport/body/decode-request.ts'
import { parseJsonObject } from '../../transport/body/parse-json.ts'
import { callDeferred } from '../batches/call-deferred.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { operations } from '../operations.ts'

const FLAG = Buffer.from('"background"')

/** The body without its flag if it asks for a background response; undefined: it does not. */
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
  if (body['stream'] === true) throw refuse('a background response cannot be streamed, poll it instead')
  if (body['store'] === false) throw refuse('a background response is stored until it is fetched, so store must not be false')
  const text = JSON.stringify(body)
  if (text.length > MAX_RESPONSE_BODY) throw new AppError('request.too-large', { limit: MAX_RESPONSE_BODY })
  // What the request would be refused for is refused now.
  decodeJsonRequest(Buffer.from(text), { operation: operations.responses, route: {} })
  const { user_id, token_id } = caller.record
  const id = toResponseId(context)
  const { is_over } = await callDeferred('responseCreate', { user_id, token_id, ip: context.ip, id, body: text }, deps)
  if (is_over) throw new AppError('batches.too-many', { limit: MAX_OPEN_RESPONSES })
  const created_at = Math.floor(deps.now() / 1000)
  answerJson(context, render({ id, state: 'pending', outcome: '', status: 0, request_id: '', answer: '', body: text, created_at }))
}

/** The caller's background response with this id; undefined: there is none. */
export async function findBackground(context: RequestContext, id: string, deps: RelayDeps): Promise<JsonObject | undefined> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { response } = await callDeferred('responseFind', { user_id: record.user_id, id: id.slice(0, 100) }, deps)
  return response === null ? undefined : render(response)
}

/** POST /v1/responses/{id}/cancel; has no effect on an ended one. */
export async function cancelBackground(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = decodePath(context.path.split('/')[3] ?? '').slice(0, 100)
  const { response } = await callDeferred('responseCancel', { user_id: record.user_id, id }, deps)
  if (response === null) throw new AppError('response.missing', { id })
  answerJson(context, render(response))
}

/** DELETE /v1/responses/{id}; false: there is none. */
export async function removeBackground(context: RequestContext, id: string, deps: RelayDeps): Promise<boolean> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { result } = await callDeferred('responseRemove', { user_id: record.user_id, id: id.slice(0, 100) }, deps)
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
