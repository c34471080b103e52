import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { MAX_FILE_BYTES, MAX_OPEN_BATCHES, MESSAGE_BATCH_ENDPOINT, type BatchRecord } from '@tollgate/contracts/deferred/deferred'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import { readHeader } from '../../identity/credentials.ts'
import { requireFunds } from '../../limits/funds.ts'
import type { RequestContext } from '../../request/context.ts'
import { withBody } from '../../request/with-body.ts'
import { queryOf } from '../../transport/query.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { pipePieces } from '../pipe-body.ts'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { piecesOf } from '../../control-plane/file-pieces.ts'
import { findStoredFile } from '../../control-plane/stored-files.ts'
import { requireUpload, storeFile } from './files.ts'
import { toBatchLines } from './message-batch-input.ts'
import { toResults } from './message-batch-results.ts'

/** A body is read at once. */
const MAX_BODY = 32 * 1024 * 1024
const PATH = '/v1/messages/batches'

/** POST /v1/messages/batches: its requests are the lines of a batch. https://platform.claude.com/docs/en/build-with-claude/batch-processing */
export async function createMessageBatch(context: RequestContext, deps: RelayDeps): Promise<void> {
  const caller = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id, token_id } = caller.record
  await requireUpload(context, user_id, deps)
  await requireFunds(context, caller, deps)
  const max = Math.min(MAX_BODY, MAX_FILE_BYTES, deps.env.RELAY_MAX_BODY)
  await withBody(context, { user_id, max, isText: true }, deps, async (given) => {
    const { bytes, count } = await toBatchLines(given, readHeader(context.incoming.headers, 'anthropic-version'))
    const id = `msgbatch_${randomBytes(16).toString('hex')}`
    const file = await storeFile({ user_id, token_id, purpose: 'batch', filename: `${id}.jsonl`, bytes }, deps)
    const asked = { endpoint: MESSAGE_BATCH_ENDPOINT, input_file_id: file.id, metadata: { requests: String(count) } } as const
    const { result, batch } = await callDeferred('batchCreate', { ...asked, id, user_id, token_id, ip: context.ip }, deps)
    if (result === 'too_many' || batch === null) throw new AppError('batches.too-many', { limit: MAX_OPEN_BATCHES })
    answerJson(context, render(batch))
  })
}

type Found = { readonly batch: BatchRecord; readonly user_id: number }

async function find(context: RequestContext, deps: RelayDeps, name: 'batchFind' | 'batchCancel'): Promise<Found> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const id = decodePath(context.path.split('/')[4] ?? '').slice(0, 100)
  const { batch } = await callDeferred(name, { user_id, id }, deps)
  if (batch?.endpoint !== MESSAGE_BATCH_ENDPOINT) throw new AppError('batches.unknown', { id })
  return { batch, user_id }
}

/** GET /v1/messages/batches/{id} and POST /v1/messages/batches/{id}/cancel */
export async function answerMessageBatch(context: RequestContext, deps: RelayDeps, name: 'batchFind' | 'batchCancel'): Promise<void> {
  // Only a batch of this API is cancelled here.
  if (name === 'batchCancel') await find(context, deps, 'batchFind')
  answerJson(context, render((await find(context, deps, name)).batch))
}

/** DELETE /v1/messages/batches/{id} */
export async function deleteMessageBatch(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { batch, user_id } = await find(context, deps, 'batchFind')
  const { id } = batch
  const { result } = await callDeferred('batchRemove', { user_id, id }, deps)
  if (result === 'unknown') throw new AppError('batches.unknown', { id })
  if (result === 'open') throw new AppError('request.field', { detail: `${id} has not ended, cancel it first` })
  answerJson(context, { id, type: 'message_batch_deleted' })
}

/** GET /v1/messages/batches/{id}/results, sent piece by piece. */
export async function answerResults(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { batch, user_id } = await find(context, deps, 'batchFind')
  if (endedAt(batch) === 0) throw new AppError('request.field', { detail: `${batch.id} has no results before it has ended` })
  const ids = [batch.output_file_id, batch.error_file_id].filter((id) => id !== '')
  const files = await Promise.all(ids.map((id) => findStoredFile({ user_id, id }, deps)))
  async function* results() {
    for (const { id, bytes } of files) yield* toResults(piecesOf({ user_id, id, bytes }, deps))
  }
  await pipePieces(results(), { 'Content-Type': 'application/x-jsonl' }, context, deps)
}

const MAX_ID = 80

/** GET /v1/messages/batches, the newest first. */
export async function answerMessageBatches(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const limit = Number(query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new AppError('request.field', { detail: 'limit: must be a whole number from 1 to 1000', field: 'limit' })
  const [after, before] = [query.get('after_id') ?? '', query.get('before_id') ?? '']
  const mark = (after || before).slice(0, MAX_ID)
  const order = after === '' && before !== '' ? 'asc' : 'desc'
  const page = { limit, order, ...(mark === '' ? {} : { after: mark }) } as const
  const { batches, has_more } = await callDeferred('batchList', { ...page, user_id: record.user_id, api: 'anthropic' }, deps)
  if (batches === null) throw new AppError('batches.unknown', { id: mark })
  const data = (order === 'asc' ? batches.toReversed() : batches).map(render)
  answerJson(context, { data, has_more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null })
}

const endedAt = ({ completed_at, expired_at, cancelled_at, failed_at }: BatchRecord): number =>
  Math.max(completed_at, expired_at, cancelled_at, failed_at)

const timeOf = (seconds: number): string | null => (seconds === 0 ? null : new Date(seconds * 1000).toISOString())

/** https://platform.claude.com/docs/en/api/messages/batches/retrieve */
function render(batch: BatchRecord) {
  const { id, status, completed, failed, cancelled, expired, created_at, expires_at, cancelling_at } = batch
  const ended = endedAt(batch)
  const total = batch.total || Number(batch.metadata?.['requests'] ?? 0)
  const counts = { succeeded: completed, errored: failed - cancelled - expired, canceled: cancelled, expired }
  return {
    id,
    type: 'message_batch',
    processing_status: ended > 0 ? 'ended' : status === 'cancelling' ? 'canceling' : 'in_progress',
    request_counts: { processing: ended > 0 ? 0 : total - completed - failed, ...counts },
    created_at: timeOf(created_at),
    expires_at: timeOf(expires_at),
    cancel_initiated_at: timeOf(cancelling_at),
    ended_at: timeOf(ended),
    archived_at: null,
    // SDKs add it to their base address.
    results_url: ended > 0 ? `${PATH}/${id}/results` : null,
  }
}
