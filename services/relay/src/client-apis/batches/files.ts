import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { MAX_FILE_BYTES, type FilePurpose, type StoredFile } from '@tollgate/contracts/deferred/deferred'
import type { DeferredRequest } from '@tollgate/contracts/deferred/deferred-calls'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { fieldsOf } from '@tollgate/providers/form'
import type { JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { withBody } from '../../request/with-body.ts'
import { readForm } from '../../transport/body/read-form.ts'
import { pipePieces } from '../pipe-body.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { readPage, renderPage } from '../page.ts'
import { callDeferred } from '../../control-plane/call-deferred.ts'
import { piecesOf } from '../../control-plane/file-pieces.ts'
import { findStoredFile, removeStoredFile, unknownFile } from '../../control-plane/stored-files.ts'
import { sendPieces } from './send-pieces.ts'

/** Boundaries and the other fields of the form. */
export const FORM_BYTES = 64 * 1024
const MAX_NAME = 255

/** POST /v1/files: stores a file piece by piece. https://platform.openai.com/docs/api-reference/files */
export async function uploadFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  answerJson(context, renderFile(await storeUpload(context, readFields, deps)))
}

/** Reads the properties of a file from the fields of its form. Throws AppError for values that are not served. */
type ReadFields = (fields: JsonObject) => Pick<NewFile, 'purpose' | 'lifetime_s'>

/** Reads a form with one file and stores it. */
export async function storeUpload(context: RequestContext, readOwn: ReadFields, deps: RelayDeps): Promise<StoredFile> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id, token_id } = record
  await requireUpload(context, user_id, deps)
  const max = Math.min(MAX_FILE_BYTES + FORM_BYTES, deps.env.RELAY_MAX_BODY)
  return await withBody(context, { user_id, max, isText: false }, deps, async (bytes) => {
    return await storeFile({ user_id, token_id, ...(await readUpload(context, bytes, readOwn)) }, deps)
  })
}

type NewFile = {
  readonly user_id: number
  readonly token_id: number
  readonly filename: string
  readonly purpose: FilePurpose
  readonly mime_type?: string | undefined
  /** Absent: the usual time. */
  readonly lifetime_s?: number
  readonly bytes: Buffer
}

export async function storeFile({ bytes, ...given }: NewFile, deps: RelayDeps): Promise<StoredFile> {
  const { user_id } = given
  const id = newFileId()
  await reserveFile({ ...given, id, bytes: bytes.length }, deps)
  await sendPieces(bytes, (piece) => callDeferred('fileAppend', { user_id, id, ...piece }, deps))
  const { file } = await callDeferred('fileFinish', { user_id, id }, deps)
  if (file === null) throw new AppError('batches.unavailable')
  return file
}

export const newFileId = (): string => `file-${randomBytes(16).toString('hex')}`

/** Makes room for a file whose pieces follow. */
export async function reserveFile(file: DeferredRequest<'fileCreate'>, deps: RelayDeps): Promise<void> {
  const { is_over, is_full, limit = 0 } = await callDeferred('fileCreate', file, deps)
  if (is_full === true) throw new AppError('batches.full')
  if (is_over) throw new AppError('batches.storage-full', { limit })
}

/** Refuses an upload before its body is read. */
export async function requireUpload({ incoming }: RequestContext, user_id: number, deps: RelayDeps): Promise<void> {
  await requireRoom(user_id, Math.max(0, Number(incoming.headers['content-length'] ?? 0) - FORM_BYTES), deps)
}

/** Refuses a file of so many bytes that the user may not store. */
export async function requireRoom(user_id: number, bytes: number, deps: RelayDeps): Promise<void> {
  const { result, limit } = await callDeferred('fileAllow', { user_id, bytes }, deps)
  if (result === 'unpaid') throw new AppError('batches.unpaid-upload')
  if (result === 'role') throw new AppError('batches.upload-role')
  if (result === 'over') throw new AppError('batches.storage-full', { limit })
  if (result === 'full') throw new AppError('batches.full')
}

type Upload = Omit<NewFile, 'user_id' | 'token_id'>

async function readUpload({ incoming }: RequestContext, given: Buffer, readOwn: ReadFields): Promise<Upload> {
  const refuse = (detail: string) => new AppError('request.field', { detail })
  const form = await readForm(incoming, given, {})
  const fields = fieldsOf(form)
  if (fields === undefined) throw refuse('a field of the form is repeated')
  const own = readOwn(fields)
  const files = form.parts.filter((part) => part.kind === 'file' && part.name === 'file')
  const [file] = files
  if (file?.kind !== 'file' || files.length > 1) throw refuse('the form needs one part file')
  if (file.bytes.length === 0) throw refuse('the file is empty')
  if (file.bytes.length > MAX_FILE_BYTES) throw new AppError('request.too-large', { limit: MAX_FILE_BYTES })
  const upload = { ...own, filename: file.filename.slice(0, MAX_NAME), bytes: file.bytes }
  return own.purpose === 'batch' ? upload : { ...upload, mime_type: mediaTypeOf(file) }
}

const PURPOSES: readonly FilePurpose[] = ['batch', 'user_data', 'vision']

export function readFields(fields: JsonObject) {
  const purpose = PURPOSES.find((known) => known === fields['purpose'])
  if (purpose === undefined) throw new AppError('request.field', { detail: `purpose: must be one of ${PURPOSES.join(', ')}` })
  if (Object.keys(fields).some((name) => name.startsWith('expires_after')))
    throw new AppError('request.field', { detail: 'expires_after is not supported, files are kept for 30 days' })
  return { purpose }
}

/** Clients that do not know a file's type send this one. */
const UNKNOWN_TYPE = 'application/octet-stream'
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webp: 'image/webp',
}

/** The type that the form states, or that of the file's name. */
function mediaTypeOf({ type, filename }: { readonly type: string; readonly filename: string }): string {
  const stated = type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (stated !== '' && stated !== UNKNOWN_TYPE && stated.length < MAX_NAME) return stated
  return ownValue(TYPES, filename.split('.').at(-1)?.toLowerCase() ?? '') ?? UNKNOWN_TYPE
}

/** GET /v1/files */
export async function answerFiles(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const page = readPage(context, { max: 10_000, usual: 10_000 })
  const purpose = new URLSearchParams(context.incoming.url?.split('?')[1]).get('purpose') ?? ''
  const { files, has_more } = await callDeferred('fileList', { ...page, user_id: record.user_id, purpose: purpose.slice(0, 40) }, deps)
  if (files === null) throw unknownFile(page.after ?? '')
  answerJson(context, renderPage(files.map(renderFile), has_more))
}

/** GET /v1/files/{id} */
export async function answerFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  answerJson(context, renderFile((await findFile(context, deps)).file))
}

/** DELETE /v1/files/{id} */
export async function deleteFile(context: RequestContext, deps: RelayDeps): Promise<void> {
  answerJson(context, { id: await removeFile(context, deps), object: 'file', deleted: true })
}

/** Deletes the file that the path names, and returns its id. */
export async function removeFile(context: RequestContext, deps: RelayDeps): Promise<string> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = idOf(context)
  await removeStoredFile({ user_id: record.user_id, id }, deps)
  return id
}

/** GET /v1/files/{id}/content: read and sent piece by piece. */
export async function answerFileContent(context: RequestContext, deps: RelayDeps): Promise<void> {
  await sendContent(context, await findFile(context, deps), deps)
}

export async function sendContent(context: RequestContext, { file, user_id }: Found, deps: RelayDeps): Promise<void> {
  const { id, bytes } = file
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes }
  await pipePieces(piecesOf({ user_id, id, bytes }, deps), headers, context, deps)
}

const idOf = ({ path }: RequestContext): string => decodePath(path.split('/')[3] ?? '')

type Found = { readonly file: StoredFile; readonly user_id: number }

/** The file that the path names. */
export async function findFile(context: RequestContext, deps: RelayDeps): Promise<Found> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  return { file: await findStoredFile({ user_id, id: idOf(context) }, deps), user_id }
}

export const renderFile = ({ mime_type: _type, ...file }: StoredFile) => ({
  ...file,
  object: 'file',
  status: 'processed',
  status_details: null,
})
