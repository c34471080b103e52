import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { AppError } from '@tollgate/contracts/app-error'
import {
  isGeminiBatch,
  MAX_FILE_BYTES,
  MAX_OPEN_BATCHES,
  type BatchRecord,
  type BatchStatus,
  type GeminiBatchEndpoint,
} from '@tollgate/contracts/deferred/deferred'
import { keptIdOf } from '@tollgate/providers/chat/kept-files'
import type { JsonObject } from '@tollgate/providers/json'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { piecesOf } from '../../control-plane/file-pieces.ts'
import { findStoredFile, unknownFile } from '../../control-plane/stored-files.ts'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import { requireFunds } from '../../limits/funds.ts'
import type { RequestContext } from '../../request/context.ts'
import { withBody } from '../../request/with-body.ts'
import { queryOf } from '../../transport/query.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson, listModels } from '../models.ts'
import { pipePieces } from '../pipe-body.ts'
import { requireUpload, storeFile } from './files.ts'
import { fromFile, fromInlined, readBatchBody, type BatchBody } from './gemini-batch-input.ts'
import { inOrder, toFileLine, toInlined } from './gemini-batch-results.ts'

/** Batches as Google's SDKs use them: https://ai.google.dev/gemini-api/docs/batch-api, compared with @google/genai 3.3.0 (2026-11-28) */

/** As large as Google takes requests in a body, which is parsed at once. */
const MAX_BODY = 20 * 1024 * 1024
/** A file of requests is converted in memory. */
const MAX_INPUT = 32 * 1024 * 1024
/** It is held as it is and as lines. */
const COPIES = 2

const refusal = (detail: string, field: string) => new AppError('request.field', { detail, field })

/** Google's word for each kind of batch. */
const TYPES = { generateContent: 'GenerateContentBatch', embedContent: 'EmbedContentBatch' } as const
export type GeminiBatchAction = keyof typeof TYPES

type Asked = { readonly model: string; readonly action: GeminiBatchAction }

/**
 * POST /{version}/models/{model}:batchGenerateContent and :asyncBatchEmbedContent. Each request is charged as if it had been sent by
 * itself.
 */
export async function createGeminiBatch(context: RequestContext, { model, action }: Asked, deps: RelayDeps): Promise<void> {
  const caller = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id, token_id } = caller.record
  await requireUpload(context, user_id, deps)
  await requireFunds(context, caller, deps)
  if (!(await listModels(context, deps)).includes(model)) throw new AppError('model.unknown', { model })
  const endpoint = `/v1beta/models/${encodeURIComponent(model)}:${action}` as const
  const max = Math.min(MAX_BODY, deps.env.RELAY_MAX_BODY)
  await withBody(context, { user_id, max, isText: true }, deps, async (given) => {
    const body = readBatchBody(given)
    if (body.has_webhook) throw refusal('webhookConfig is not offered by this gateway', 'batch.webhookConfig')
    const { bytes, source } = await readInput({ given, body }, { model, endpoint, user_id }, deps)
    const name = randomBytes(16).toString('hex')
    const file = await storeFile({ user_id, token_id, purpose: 'batch', filename: `${name}.jsonl`, bytes }, deps)
    const metadata = { source, requests: String(countLines(bytes)), display_name: body.display_name.slice(0, 500) }
    const asked = { id: `gbatch_${name}`, endpoint, input_file_id: file.id, metadata, user_id, token_id, ip: context.ip }
    const { result, batch: made } = await callDeferred('batchCreate', asked, deps)
    if (result === 'too_many' || made === null) throw new AppError('batches.too-many', { limit: MAX_OPEN_BATCHES })
    answerJson(context, operationOf(made))
  })
}

type Target = { readonly model: string; readonly endpoint: GeminiBatchEndpoint; readonly user_id: number }

type Input = { readonly given: Buffer; readonly body: BatchBody }

async function readInput({ given, body }: Input, { user_id, ...target }: Target, deps: RelayDeps) {
  const name = body.file_name
  if (name === undefined) return { source: 'inlined', bytes: await fromInlined(given, body.requests, target) }
  const id = keptIdOf(name.replace(/^files\//, ''))
  const file = await findStoredFile({ user_id, id, shown: name }, deps)
  if (file.bytes > Math.min(MAX_INPUT, MAX_FILE_BYTES)) throw new AppError('request.too-large', { limit: MAX_INPUT })
  if (!deps.bodies.take(file.bytes * COPIES)) throw new AppError('request.busy')
  try {
    const bytes = await buffer(piecesOf({ user_id, id, bytes: file.bytes }, deps))
    return { source: 'file', bytes: await fromFile(bytes, target) }
  } finally {
    deps.bodies.give(file.bytes * COPIES)
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) count += 1
  return count
}

const PREFIX = 'gbatch_'
/** The file of a batch's answers is made when it is read. */
const RESULTS = /^batch([0-9a-f]{32})$/

type Found = { readonly batch: BatchRecord; readonly user_id: number }

async function find(context: RequestContext, name: string, deps: RelayDeps): Promise<Found> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const { batch } = await callDeferred('batchFind', { user_id, id: PREFIX + name.slice(0, 64) }, deps)
  if (batch === null || !isGeminiBatch(batch.endpoint)) throw new AppError('batches.unknown', { id: `batches/${name}` })
  return { batch, user_id }
}

/** The last part of the path, and the action after its colon. */
function targetOf({ path }: RequestContext): { readonly name: string; readonly action: string } {
  const [name = '', action = ''] = decodePath(path.split('/').at(-1) ?? '').split(':')
  return { name, action }
}

/** GET /{version}/batches/{id}, with the answers of an ended one whose requests were inlined. */
export async function answerGeminiBatch(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { batch, user_id } = await find(context, targetOf(context).name, deps)
  if (!hasOutput(batch) || batch.metadata?.['source'] !== 'inlined') return answerJson(context, operationOf(batch))
  const files = await outputOf({ batch, user_id }, deps)
  const [head = '', tail = ''] = JSON.stringify(operationOf(batch, { inlinedResponses: { inlinedResponses: [MARK] } })).split(`"${MARK}"`)
  async function* pieces() {
    let before = head
    for await (const result of inOrder(files())) {
      yield before + JSON.stringify(toInlined(result))
      before = ','
    }
    yield before === head ? head + tail : tail
  }
  await pipePieces(pieces(), { 'Content-Type': 'application/json; charset=utf-8' }, context, deps)
}

/** Where the answers come in. A client's own texts in JSON have no such line. */
const MARK = randomBytes(16).toString('hex')

/** POST /{version}/batches/{id}:cancel */
export async function cancelGeminiBatch(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { name, action } = targetOf(context)
  if (action !== 'cancel') throw new AppError('route.unknown', { method: 'POST', path: context.path })
  const { batch, user_id } = await find(context, name, deps)
  await callDeferred('batchCancel', { user_id, id: batch.id }, deps)
  answerJson(context, {})
}

/** DELETE /{version}/batches/{id} */
export async function deleteGeminiBatch(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { name } = targetOf(context)
  const { batch, user_id } = await find(context, name, deps)
  const { result } = await callDeferred('batchRemove', { user_id, id: batch.id }, deps)
  if (result === 'unknown') throw new AppError('batches.unknown', { id: `batches/${name}` })
  if (result === 'open') throw new AppError('request.field', { detail: `batches/${name} has not ended, cancel it first` })
  answerJson(context, {})
}

const MAX_PAGE = 1000

/** GET /{version}/batches, the newest first and without their answers. */
export async function answerGeminiBatches(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const limit = Number(query.get('pageSize') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE)
    throw refusal(`pageSize: must be a whole number from 1 to ${MAX_PAGE}`, 'pageSize')
  const after = query.get('pageToken')?.slice(0, 80) ?? ''
  const page = { user_id: record.user_id, limit, order: 'desc', api: 'gemini', ...(after === '' ? {} : { after }) } as const
  const { batches, has_more } = await callDeferred('batchList', page, deps)
  if (batches === null) throw refusal('pageToken: must be that of a page before', 'pageToken')
  const nextPageToken = has_more ? batches.at(-1)?.id : undefined
  const operations = batches.map((batch) => operationOf(batch))
  answerJson(context, { operations, ...(nextPageToken === undefined ? {} : { nextPageToken }) })
}

/** GET /{version}/files/batch{id}:download: the answers of a batch with a file of requests; false: the name is no such file's. */
export async function answerResultsFile(context: RequestContext, deps: RelayDeps): Promise<boolean> {
  const { name, action } = targetOf(context)
  const [, id] = RESULTS.exec(name) ?? []
  if (id === undefined) return false
  const found = await find(context, id, deps)
  if (action !== 'download' || !hasOutput(found.batch)) throw unknownFile(name)
  const files = await outputOf(found, deps)
  async function* lines() {
    for await (const result of inOrder(files())) yield toFileLine(result)
  }
  await pipePieces(lines(), { 'Content-Type': 'application/jsonl' }, context, deps)
  return true
}

const hasOutput = ({ status }: BatchRecord): boolean => status === 'completed' || status === 'cancelled' || status === 'expired'

async function outputOf({ batch, user_id }: Found, deps: RelayDeps): Promise<() => AsyncGenerator<Buffer>[]> {
  const ids = [batch.output_file_id, batch.error_file_id].filter((id) => id !== '')
  const files = await Promise.all(ids.map((id) => findStoredFile({ user_id, id }, deps)))
  return () => files.map(({ id, bytes }) => piecesOf({ user_id, id, bytes }, deps))
}

const STATES = {
  validating: 'PENDING',
  in_progress: 'RUNNING',
  finalizing: 'RUNNING',
  cancelling: 'RUNNING',
  completed: 'SUCCEEDED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
} as const satisfies Record<BatchStatus, string>

const TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1main.'
const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** The long-running operation that a batch is. https://ai.google.dev/api/batch-api */
function operationOf(batch: BatchRecord, inlined?: JsonObject): JsonObject {
  const { id, endpoint, status, metadata, completed, failed, created_at, errors } = batch
  const name = `batches/${id.slice(PREFIX.length)}`
  const ended = Math.max(batch.completed_at, batch.expired_at, batch.cancelled_at, batch.failed_at)
  const total = batch.total || Number(metadata?.['requests'] ?? 0)
  const file = hasOutput(batch) && metadata?.['source'] === 'file' ? { responsesFile: `files/batch${id.slice(PREFIX.length)}` } : undefined
  const output = inlined ?? file
  const shown = {
    '@type': TYPE + TYPES[endpoint.endsWith(':embedContent') ? 'embedContent' : 'generateContent'],
    name,
    model: `models/${decodeURIComponent(endpoint.slice('/v1beta/models/'.length, endpoint.lastIndexOf(':')))}`,
    displayName: metadata?.['display_name'] ?? '',
    state: `BATCH_STATE_${STATES[status]}`,
    createTime: timeOf(created_at),
    updateTime: timeOf(ended || batch.in_progress_at || created_at),
    ...(ended === 0 ? {} : { endTime: timeOf(ended) }),
    batchStats: countsOf({ total, completed, failed }),
    ...(output === undefined ? {} : { output }),
  }
  const [fault] = errors
  return {
    name,
    metadata: shown,
    ...(ended === 0 ? {} : { done: true }),
    ...(fault === undefined ? {} : { error: { code: 3, message: fault.message } }),
  }
}

/** Google writes 64-bit numbers as text. */
const countsOf = ({ total, completed, failed }: Pick<BatchRecord, 'total' | 'completed' | 'failed'>) => ({
  requestCount: String(total),
  successfulRequestCount: String(completed),
  failedRequestCount: String(failed),
  pendingRequestCount: String(Math.max(0, total - completed - failed)),
})
