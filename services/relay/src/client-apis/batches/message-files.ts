import { AppError } from '@tollgate/contracts/app-error'
import { FILE_LIFETIME_S, type StoredFile } from '@tollgate/contracts/deferred/deferred'
import type { JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { queryOf } from '../../transport/query.ts'
import { answerJson } from '../models.ts'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { lookUpFile, unknownFile } from '../../control-plane/stored-files.ts'
import { findFile, removeFile, storeUpload } from './files.ts'

/** Files in the shape of Anthropic's API: https://platform.claude.com/docs/en/build-with-claude/files (read 2026-11-28) */

/** POST /v1/files: a document or picture that prompts refer to. */
export async function uploadMessageFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  answerJson(context, render(await storeUpload(context, readFields, deps)))
}

function readFields({ expires_in_seconds = String(FILE_LIFETIME_S) }: JsonObject) {
  const lifetime_s = Number(expires_in_seconds)
  if (!Number.isInteger(lifetime_s) || lifetime_s < 1 || lifetime_s > FILE_LIFETIME_S)
    throw new AppError('request.field', { detail: `expires_in_seconds: must be a whole number from 1 to ${FILE_LIFETIME_S}` })
  return { purpose: 'user_data', lifetime_s } as const
}

const MAX_ID = 80
const MAX_IDS = 100

/** GET /v1/files, the newest first. */
export async function answerMessageFiles(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const ids = [...query.getAll('ids'), ...query.getAll('ids[]')].slice(0, MAX_IDS)
  if (ids.length > 0) {
    const found = await Promise.all(ids.map((id) => lookUpFile({ user_id, id }, deps)))
    answerJson(
      context,
      pageOf(
        found.filter((file) => file !== null),
        false,
      ),
    )
    return
  }
  const limit = Number(query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new AppError('request.field', { detail: 'limit: must be a whole number from 1 to 1000', field: 'limit' })
  const [after, before] = [
    (query.get('page') ?? query.get('after_id') ?? '').slice(0, MAX_ID),
    (query.get('before_id') ?? '').slice(0, MAX_ID),
  ]
  const order = after === '' && before !== '' ? 'asc' : 'desc'
  const mark = after || before
  const page = { user_id, limit, order, purpose: 'user_data', ...(mark === '' ? {} : { after: mark }) } as const
  const { files, has_more } = await callDeferred('fileList', page, deps)
  if (files === null) throw unknownFile(mark)
  answerJson(context, pageOf(order === 'asc' ? files.toReversed() : files, has_more))
}

/** Both of the list's forms: the SDKs' newest major reads `next_page`, the beta before it the ids. */
function pageOf(files: readonly StoredFile[], has_more: boolean): object {
  const last_id = files.at(-1)?.id ?? null
  return { data: files.map(render), has_more, first_id: files[0]?.id ?? null, last_id, next_page: has_more ? last_id : null }
}

/** GET /v1/files/{id} */
export async function answerMessageFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  answerJson(context, render((await findFile(context, deps)).file))
}

/** DELETE /v1/files/{id} */
export async function deleteMessageFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  answerJson(context, { id: await removeFile(context, deps), type: 'file_deleted' })
}

const render = ({ id, filename, bytes, mime_type, created_at, expires_at }: StoredFile) => ({
  id,
  type: 'file',
  filename,
  mime_type: mime_type ?? 'application/octet-stream',
  size_bytes: bytes,
  created_at: new Date(created_at * 1000).toISOString(),
  expires_at: new Date(expires_at * 1000).toISOString(),
  downloadable: true,
})
