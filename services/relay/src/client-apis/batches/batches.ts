import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import {
  BATCH_ENDPOINTS,
  isGeminiBatch,
  MAX_DEFERRED_ID,
  MAX_OPEN_BATCHES,
  MESSAGE_BATCH_ENDPOINT,
  type BatchEndpoint,
  type BatchRecord,
} from '@tollgate/contracts/deferred/deferred'
import { isObject, type JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import { requireFunds } from '../../limits/funds.ts'
import type { RequestContext } from '../../request/context.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { readPage, renderPage } from '../page.ts'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { unknownFile } from '../../control-plane/stored-files.ts'

/** POST /v1/batches. https://platform.openai.com/docs/api-reference/batch */
export async function createBatch(context: RequestContext, deps: RelayDeps): Promise<void> {
  const caller = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id, token_id } = caller.record
  const asked = readBatch(await readSmallBody(context, user_id, deps))
  await requireFunds(context, caller, deps)
  const id = `batch_${randomBytes(16).toString('hex')}`
  const { result, batch } = await callDeferred('batchCreate', { ...asked, id, user_id, token_id, ip: context.ip }, deps)
  if (result === 'unknown_file') throw unknownFile(asked.input_file_id)
  if (result === 'too_many' || batch === null) throw new AppError('batches.too-many', { limit: MAX_OPEN_BATCHES })
  answerJson(context, renderBatch(batch))
}

const MAX_METADATA = 16
const ENDPOINTS = BATCH_ENDPOINTS.filter((endpoint) => endpoint !== MESSAGE_BATCH_ENDPOINT)

function readBatch(body: JsonObject) {
  const refuse = (detail: string) => new AppError('request.field', { detail })
  const { endpoint, input_file_id, completion_window, metadata } = body
  const isServed = (given: unknown): given is BatchEndpoint => ENDPOINTS.some((one) => one === given)
  if (!isServed(endpoint)) throw refuse(`endpoint must be one of ${ENDPOINTS.join(', ')}`)
  if (typeof input_file_id !== 'string' || input_file_id === '') throw refuse('input_file_id is required')
  if (input_file_id.length > MAX_DEFERRED_ID) throw unknownFile(input_file_id)
  if (completion_window !== '24h') throw refuse('completion_window must be 24h')
  if (body['output_expires_after'] !== undefined) throw refuse('output_expires_after is not supported, files are kept for 30 days')
  return { endpoint, input_file_id, metadata: readMetadata(metadata) }
}

function readMetadata(given: unknown): Record<string, string> | null {
  if (given === undefined || given === null) return null
  const pairs = isObject(given) ? Object.entries(given) : undefined
  const isFit = pairs?.every(([name, value]) => name.length <= 64 && typeof value === 'string' && value.length <= 512)
  if (pairs === undefined || isFit !== true || pairs.length > MAX_METADATA)
    throw new AppError('request.field', { detail: `metadata must be at most ${MAX_METADATA} texts of at most 512 characters` })
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}

/** GET /v1/batches */
export async function answerBatches(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const page = readPage(context, { max: 100, usual: 20 })
  const { batches, has_more } = await callDeferred('batchList', { ...page, user_id: record.user_id, api: 'openai' }, deps)
  if (batches === null) throw new AppError('batches.unknown', { id: page.after ?? '' })
  answerJson(context, renderPage(batches.map(renderBatch), has_more))
}

/** GET /v1/batches/{id} and POST /v1/batches/{id}/cancel */
export async function answerBatch(context: RequestContext, deps: RelayDeps, name: 'batchFind' | 'batchCancel'): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = decodePath(context.path.split('/')[3] ?? '').slice(0, 100)
  const { batch } = await callDeferred(name, { user_id: record.user_id, id }, deps)
  if (batch === null || batch.endpoint === MESSAGE_BATCH_ENDPOINT || isGeminiBatch(batch.endpoint))
    throw new AppError('batches.unknown', { id })
  answerJson(context, renderBatch(batch))
}

/** https://platform.openai.com/docs/api-reference/batch/object, known when the batch has ended. */
function usageOf({ input_tokens, cached_tokens, output_tokens, reasoning_tokens }: BatchRecord) {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  }
}

function renderBatch(batch: BatchRecord) {
  const { errors, total, completed, failed, output_file_id, error_file_id, created_at, expires_at, ...rest } = batch
  const times = Object.entries(rest).filter(([name]) => name.endsWith('_at'))
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    errors: errors.length === 0 ? null : { object: 'list', data: errors },
    input_file_id: batch.input_file_id,
    completion_window: '24h',
    status: batch.status,
    output_file_id: output_file_id || null,
    error_file_id: error_file_id || null,
    created_at,
    expires_at,
    ...Object.fromEntries(times.map(([name, at]) => [name, at === 0 ? null : at])),
    request_counts: { total, completed, failed },
    usage: usageOf(batch),
    metadata: batch.metadata,
  }
}
