import { AppError } from '@tollgate/contracts/app-error'
import {
  FILE_PIECE,
  MAX_FILE_BYTES,
  MAX_PARTS,
  PART_PIECES,
  UPLOAD_LIFETIME_S,
  type StoredFile,
} from '@tollgate/contracts/deferred/deferred'
import { listAt, textAt, type JsonObject } from '@tollgate/providers/json'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { removeStoredFile } from '../../control-plane/stored-files.ts'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { withBody } from '../../request/with-body.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { readForm } from '../../transport/body/read-form.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { FORM_BYTES, newFileId, readFields, renderFile, requireRoom, reserveFile } from './files.ts'

/** Uploads in parts: https://developers.openai.com/api/reference/resources/uploads, compared with openai 7.57.0 (2026-11-28) */

const MAX_NAME = 255
const refusal = (detail: string, field = '') => new AppError('request.field', { detail, ...(field === '' ? {} : { field }) })

/** POST /v1/uploads: makes room for the file. */
export async function createUpload(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id, token_id } = record
  const body = await readSmallBody(context, user_id, deps)
  const { bytes } = body
  if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 1) throw refusal('bytes: must be the length of the file', 'bytes')
  if (bytes > MAX_FILE_BYTES) throw new AppError('request.too-large', { limit: MAX_FILE_BYTES })
  const [filename, mime_type] = [textAt(body, 'filename'), textAt(body, 'mime_type')]
  if (filename === undefined) throw refusal('filename is required', 'filename')
  if (mime_type === undefined) throw refusal('mime_type is required', 'mime_type')
  const { purpose } = readFields(body)
  await requireRoom(user_id, bytes, deps)
  const id = newFileId()
  const type = purpose === 'batch' ? {} : { mime_type: mime_type.slice(0, MAX_NAME) }
  await reserveFile({ user_id, token_id, id, filename: filename.slice(0, MAX_NAME), purpose, ...type, bytes }, deps)
  answerJson(context, render((await find(user_id, uploadIdOf(id), deps)).file, 'pending'))
}

/** POST /v1/uploads/{id}/parts: one part, at the same time as others. Its id says which one it is. */
export async function addUploadPart(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const { id, file } = await find(user_id, nameOf(context), deps)
  const max = Math.min(file.bytes + FORM_BYTES, deps.env.RELAY_MAX_BODY)
  const part = await withBody(context, { user_id, max, isText: false }, deps, async (given) => {
    const form = await readForm(context.incoming, given, {})
    const [data, ...more] = form.parts.filter(({ name }) => name === 'data')
    if (data?.kind !== 'file' || more.length > 0 || data.bytes.length === 0)
      throw refusal('the form needs one part data, which is a file', 'data')
    return await storePart({ user_id, id, bytes: data.bytes }, deps)
  })
  const upload_id = uploadIdOf(id)
  answerJson(context, { id: partIdOf(id, part), object: 'upload.part', created_at: Math.floor(deps.now() / 1000), upload_id })
}

type NewPart = { readonly user_id: number; readonly id: string; readonly bytes: Buffer }

async function storePart({ user_id, id, bytes }: NewPart, deps: RelayDeps): Promise<number> {
  const piece = (at: number) => bytes.toString('base64', at * FILE_PIECE, (at + 1) * FILE_PIECE)
  const { part, is_over } = await callDeferred('filePart', { user_id, id, bytes: bytes.length, content: piece(0) }, deps)
  if (is_over) throw refusal('the parts are longer than the upload, which says its bytes when it is created', 'data')
  if (part === null) throw missing(uploadIdOf(id))
  for (let at = 1; at * FILE_PIECE < bytes.length; at += 1)
    await callDeferred('fileAppend', { user_id, id, n: part * PART_PIECES + at, content: piece(at) }, deps)
  return part
}

/** POST /v1/uploads/{id}/complete: makes the file of its parts, in the order that the body names. */
export async function completeUpload(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const { id, file } = await find(user_id, nameOf(context), deps)
  const body = await readSmallBody(context, user_id, deps)
  const { result, file: made } = await callDeferred('fileParts', { user_id, id, ...readParts(body, id) }, deps)
  if (result === 'unknown') throw refusal('part_ids: names a part that this upload does not have', 'part_ids')
  if (result === 'length') throw refusal(`the parts do not have ${file.bytes} bytes together, as the upload says`, 'part_ids')
  if (result === 'md5') throw refusal('md5: is not that of the parts', 'md5')
  if (made === null) throw new AppError('batches.unavailable')
  answerJson(context, render(made, 'completed'))
}

function readParts(body: JsonObject, id: string): { readonly parts: number[]; readonly md5?: string } {
  const ids = listAt(body, 'part_ids')
  if (ids.length === 0 || ids.length > MAX_PARTS) throw refusal(`part_ids: must be a list of 1 to ${MAX_PARTS} parts`, 'part_ids')
  const parts = ids.map((one) => partIn(id, one))
  if (new Set(parts).size !== parts.length) throw refusal('part_ids: names a part twice', 'part_ids')
  const md5 = textAt(body, 'md5')
  return { parts, ...(md5 === undefined ? {} : { md5: md5.slice(0, 64) }) }
}

/** POST /v1/uploads/{id}/cancel: drops its parts. */
export async function cancelUpload(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const { id, file } = await find(user_id, nameOf(context), deps)
  await removeStoredFile({ user_id, id, shown: uploadIdOf(id) }, deps)
  answerJson(context, render(file, 'cancelled'))
}

const missing = (id: string) => new AppError('batches.unknown-upload', { id })
const nameOf = ({ path }: RequestContext): string => decodePath(path.split('/')[3] ?? '').slice(0, 100)
/** The upload of a file has its number. */
const uploadIdOf = (file_id: string): string => file_id.replace('file-', 'upload_')
const partIdOf = (file_id: string, part: number): string => `${file_id.replace('file-', 'part_')}_${part}`

function partIn(file_id: string, given: unknown): number {
  const [, part = ''] = typeof given === 'string' ? given.split(partIdOf(file_id, 0).slice(0, -1)) : []
  if (!/^\d{1,6}$/.test(part)) throw refusal('part_ids: names a part that this upload does not have', 'part_ids')
  return Number(part)
}

/** An upload of the user's that waits for its parts. */
async function find(user_id: number, name: string, deps: RelayDeps): Promise<{ readonly id: string; readonly file: StoredFile }> {
  const id = name.replace('upload_', 'file-')
  const { file } = await callDeferred('fileUpload', { user_id, id }, deps)
  if (!name.startsWith('upload_') || file === null || file.created_at + UPLOAD_LIFETIME_S <= deps.now() / 1000) throw missing(name)
  return { id, file }
}

function render(file: StoredFile, status: 'pending' | 'completed' | 'cancelled') {
  const { id, filename, purpose, bytes, created_at } = file
  return {
    id: uploadIdOf(id),
    object: 'upload',
    bytes,
    created_at,
    filename,
    purpose,
    status,
    expires_at: created_at + UPLOAD_LIFETIME_S,
    file: status === 'completed' ? renderFile(file) : null,
  }
}
