import { AppError } from '@tollgate/contracts/app-error'
import { MAX_FILE_BYTES, type StoredFile } from '@tollgate/contracts/deferred/deferred'
import { keptFileName, keptIdOf } from '@tollgate/providers/chat/kept-files'
import { objectAt, parseJson, textAt } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import { UPLOAD, withToken } from '../../identity/client-secrets.ts'
import { readCredential, readHeader } from '../../identity/credentials.ts'
import type { RequestContext } from '../../request/context.ts'
import { withBody } from '../../request/with-body.ts'
import { queryOf } from '../../transport/query.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { originOf } from '../origin.ts'
import { answerVideoFile } from '../videos/interaction-videos.ts'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { findStoredFile, removeStoredFile, unknownFile } from '../../control-plane/stored-files.ts'
import { answerResultsFile } from './gemini-batches.ts'
import { newFileId, requireRoom, reserveFile, sendContent } from './files.ts'

/** Files as Google's SDKs use them: https://ai.google.dev/api/files, compared with @google/genai 3.3.0 (2026-11-28) */

/** Chunks of an upload end at multiples of this size, but for the last; a piece is stored for each. */
const PIECE = 256 * 1024
const MAX_START = 64 * 1024
/** How long the address of an upload is good for. Google's client for Python sends no key with the chunks. */
const UPLOAD_S = 3600
const MAX_NAME = 255

/** POST /upload/{version}/files: begins a resumable upload, or takes a chunk of one. */
export async function uploadGeminiFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  const command = readHeader(context.incoming.headers, 'x-goog-upload-command')
  if (command === 'start') return await startUpload(context, deps)
  if (command === 'upload' || command === 'upload, finalize') return await takeChunk(context, command !== 'upload', deps)
  throw refuse('X-Goog-Upload-Command: must be start, upload, or upload and finalize, of a resumable upload')
}

const binary = (max: number, { env }: RelayDeps) => ({ max: Math.min(max, env.RELAY_MAX_BODY), isText: false })

const refuse = (detail: string) => new AppError('request.field', { detail })

async function startUpload(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id, token_id } = record
  const { headers } = context.incoming
  const bytes = Number(readHeader(headers, 'x-goog-upload-header-content-length'))
  if (!Number.isInteger(bytes) || bytes < 1) throw refuse('X-Goog-Upload-Header-Content-Length: must be the length of the file')
  if (bytes > MAX_FILE_BYTES) throw new AppError('request.too-large', { limit: MAX_FILE_BYTES })
  await requireRoom(user_id, bytes, deps)
  const given = await withBody(context, { ...binary(MAX_START, deps), user_id }, deps, (text) =>
    objectAt(parseJson(text.toString()), 'file'),
  )
  const mime_type = (
    textAt(given, 'mimeType') ??
    textAt(given, 'mime_type') ??
    readHeader(headers, 'x-goog-upload-header-content-type')
  ).slice(0, MAX_NAME)
  const filename = (textAt(given, 'displayName') ?? textAt(given, 'display_name') ?? readHeader(headers, 'x-goog-upload-file-name')).slice(
    0,
    MAX_NAME,
  )
  const id = newFileId()
  await reserveFile({ user_id, token_id, id, filename, purpose: 'user_data', mime_type, bytes }, deps)
  const expires_at = Math.floor(deps.now() / 1000) + UPLOAD_S
  const key = deps.clientSecrets.issue({ credential: readCredential(context.incoming), expires_at, session: { [UPLOAD]: id } })
  // The SDK puts its own base address in place of ours.
  const url = `${originOf(context)}${context.path}?upload_id=${id}&key=${encodeURIComponent(key)}`
  context.reply.answer(200, { 'Content-Type': 'application/json', 'X-Goog-Upload-Status': 'active', 'X-Goog-Upload-URL': url }, '{}')
}

async function takeChunk(context: RequestContext, isLast: boolean, deps: RelayDeps): Promise<void> {
  const secret = deps.clientSecrets.open(context.incoming)
  if (secret !== undefined) withToken(context.incoming, secret)
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const id = new URLSearchParams(queryOf(context.incoming.url ?? '')).get('upload_id')?.slice(0, 80) ?? ''
  if (secret !== undefined && secret.session[UPLOAD] !== id) throw new AppError('token.invalid')
  const offset = Number(readHeader(context.incoming.headers, 'x-goog-upload-offset'))
  const { file } = await callDeferred('fileUpload', { user_id, id }, deps)
  if (file === null) throw unknownFile(id)
  if (!Number.isInteger(offset) || offset < 0 || offset % PIECE !== 0) throw refuse(`X-Goog-Upload-Offset: must be a multiple of ${PIECE}`)
  const left = file.bytes - offset
  const length = await withBody(context, { ...binary(Math.max(0, left), deps), user_id }, deps, async (chunk) => {
    if (isLast ? chunk.length !== left : chunk.length % PIECE !== 0 || chunk.length >= left)
      throw refuse('the chunk does not have the length that the upload leaves for it')
    for (let at = 0; at < chunk.length; at += PIECE) {
      const content = chunk.toString('base64', at, at + PIECE)
      await callDeferred('fileAppend', { user_id, id, n: (offset + at) / PIECE, content }, deps)
    }
    return chunk.length
  })
  if (!isLast) {
    const headers = { 'Content-Type': 'application/json', 'X-Goog-Upload-Status': 'active', 'X-Goog-Upload-Size-Received': offset + length }
    context.reply.answer(200, headers, '{}')
    return
  }
  const { file: stored } = await callDeferred('fileFinish', { user_id, id }, deps)
  if (stored === null) throw new AppError('batches.unavailable')
  const body = JSON.stringify({ file: render(stored, context) })
  context.reply.answer(200, { 'Content-Type': 'application/json', 'X-Goog-Upload-Status': 'final' }, body)
}

const MAX_PAGE = 100

/** GET /{version}/files, the newest first. */
export async function answerGeminiFiles(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const limit = Number(query.get('pageSize') ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) throw refuse(`pageSize: must be a whole number from 1 to ${MAX_PAGE}`)
  const after = query.get('pageToken')?.slice(0, 80) ?? ''
  const page = { user_id: record.user_id, limit, order: 'desc', purpose: 'user_data', ...(after === '' ? {} : { after }) } as const
  const { files, has_more } = await callDeferred('fileList', page, deps)
  if (files === null) throw refuse('pageToken: must be that of a page before')
  const nextPageToken = has_more ? files.at(-1)?.id : undefined
  answerJson(context, { files: files.map((file) => render(file, context)), ...(nextPageToken === undefined ? {} : { nextPageToken }) })
}

/** GET /{version}/files/{id}, and its bytes with `:download`. */
export async function answerGeminiFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  if (await answerVideoFile(context, nameOf(context), deps)) return
  if (await answerResultsFile(context, deps)) return
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const [name = '', action] = nameOf(context).split(':')
  if (action !== undefined && action !== 'download') throw unknownFile(name)
  const file = await findStoredFile({ user_id, id: keptIdOf(name), shown: name }, deps)
  if (action === undefined) {
    answerJson(context, render(file, context))
    return
  }
  await sendContent(context, { file, user_id }, deps)
}

/** DELETE /{version}/files/{id} */
export async function deleteGeminiFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const name = nameOf(context)
  await removeStoredFile({ user_id: record.user_id, id: keptIdOf(name), shown: name }, deps)
  answerJson(context, {})
}

const nameOf = ({ path }: RequestContext): string => decodePath(path.split('/')[3] ?? '')
const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

function render({ id, filename, mime_type, bytes, created_at, expires_at }: StoredFile, context: RequestContext) {
  const name = keptFileName(id)
  return {
    name: `files/${name}`,
    displayName: filename,
    mimeType: mime_type ?? 'application/octet-stream',
    sizeBytes: String(bytes),
    createTime: timeOf(created_at),
    updateTime: timeOf(created_at),
    expirationTime: timeOf(expires_at),
    uri: `${originOf(context)}/v1beta/files/${name}`,
    state: 'ACTIVE',
    source: 'UPLOADED',
  }
}
