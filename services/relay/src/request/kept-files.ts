import { buffer } from 'node:stream/consumers'
import { AppError } from '@tollgate/contracts/app-error'
import type { StoredFile } from '@tollgate/contracts/deferred/deferred'
import { keptFileIds, mayNameFiles, withKeptFiles, type KeptFile } from '@tollgate/providers/chat/kept-files'
import { parseJsonObject } from '@tollgate/providers/json'
import { callDeferred } from '../control-plane/call-deferred.ts'
import type { ControlPlane } from '../control-plane/client.ts'
import { piecesOf } from '../control-plane/file-pieces.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'

/** Size of a request that names files of the gateway; it is parsed on the event loop. */
const MAX_NAMING = 1024 * 1024
const MAX_FILES = 20
/** Size of the files that a request names together: Anthropic's limit of a request. */
const MAX_CONTENT = 32 * 1024 * 1024
/** A file is held as bytes, as base64 and in the body. */
const COPIES = 4

type Deps = { readonly controlPlane: Pick<ControlPlane, 'askDeferred'>; readonly bodies: BodyBudget }

/** The body with the content of the user's files in place of their ids; undefined: it names none. Throws AppError for unknown ones. */
export async function expandKeptFiles(raw: Buffer, user_id: number, deps: Deps): Promise<Buffer | undefined> {
  if (!mayNameFiles(raw)) return undefined
  const refuse = (detail: string) => new AppError('request.field', { detail })
  if (raw.length > MAX_NAMING) throw refuse(`a request that names files is at most ${MAX_NAMING} bytes long`)
  const body = parseJsonObject(raw.toString())
  const ids = body === undefined ? [] : keptFileIds(body)
  if (body === undefined || ids.length === 0) return undefined
  if (ids.length > MAX_FILES) throw refuse(`a request names at most ${MAX_FILES} files`)
  const files = await Promise.all(ids.map((id) => findFile(user_id, id, deps)))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > MAX_CONTENT) throw new AppError('request.too-large', { limit: MAX_CONTENT })
  if (!deps.bodies.take(bytes * COPIES)) throw new AppError('request.busy')
  try {
    const expanded = withKeptFiles(body, await readFiles(user_id, files, deps))
    const [left] = keptFileIds(expanded)
    if (left !== undefined) throw refuse(`${left} is kept by this gateway and cannot be given to a tool of the vendor`)
    return Buffer.from(JSON.stringify(expanded))
  } finally {
    deps.bodies.give(bytes * COPIES)
  }
}

async function readFiles(user_id: number, files: readonly StoredFile[], deps: Deps): Promise<ReadonlyMap<string, KeptFile>> {
  const read = new Map<string, KeptFile>()
  for (const { id, filename, mime_type, bytes: size } of files) {
    const bytes = await buffer(piecesOf({ user_id, id, bytes: size }, deps))
    read.set(id, { filename, mime_type: mime_type ?? 'application/octet-stream', bytes })
  }
  return read
}

async function findFile(user_id: number, id: string, deps: Deps): Promise<StoredFile> {
  const { file } = await callDeferred('fileFind', { user_id, id }, deps)
  if (file === null) throw new AppError('batches.unknown-file', { id })
  return file
}
