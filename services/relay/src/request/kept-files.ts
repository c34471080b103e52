import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { AppError } from '@tollgate/contracts/app-error'
import type { StoredFile } from '@tollgate/contracts/deferred/deferred'
import type { Budget } from '@tollgate/shares/budget'
import { expandFiles, keptFileIds, mayNameFiles } from '@tollgate/providers/chat/kept-files'
import { parseJsonObject } from '@tollgate/providers/json'
import type { ControlPlane } from '../control-plane/client.ts'
import { piecesOf } from '../control-plane/file-pieces.ts'
import { atPace, PACES } from '../control-plane/paced-bodies.ts'
import { findStoredFile } from '../control-plane/stored-files.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { RequestContext } from './context.ts'

/** Size of a request that names files of the gateway; it is parsed on the event loop. */
const MAX_NAMING = 1024 * 1024
const MAX_FILES = 20
/** Size of what a request names together, a file counted as often as it is named: Anthropic's limit of a request. */
const MAX_CONTENT = 32 * 1024 * 1024
/** A file is held as bytes, as base64 and in the body. */
const COPIES = 4
/** Content over this many bytes follows that of the user's other requests at a pace. */
const LONG = 1024 * 1024

type Deps = {
  readonly controlPlane: Pick<ControlPlane, 'askDeferred'>
  readonly bodies: BodyBudget
  readonly pacedBodies: Budget
}
type Naming = Pick<RequestContext, 'reply' | 'clock'> & { readonly user_id: number; readonly raw: Buffer }

/** The body with the content of the user's files in place of their ids; undefined: it names none. Throws AppError for unknown ones. */
export async function expandKeptFiles({ raw, user_id, reply, clock }: Naming, deps: Deps): Promise<Buffer | undefined> {
  if (!mayNameFiles(raw)) return undefined
  if (raw.length > MAX_NAMING) throw refuse(`a request that names files is at most ${MAX_NAMING} bytes long`)
  const body = parseJsonObject(raw.toString())
  const ids = body === undefined ? [] : keptFileIds(body)
  if (body === undefined || ids.length === 0) return undefined
  if (ids.length > MAX_FILES) throw refuse(`a request names at most ${MAX_FILES} files`)
  const files = new Map<string, StoredFile>()
  for (const file of await Promise.all(ids.map((id) => findStoredFile({ user_id, id }, deps)))) files.set(file.id, file)
  const types = new Map(
    [...files].map(([id, { filename, mime_type }]) => [id, { filename, mime_type: mime_type ?? 'application/octet-stream' }]),
  )
  const { uses, left, fill } = expandFiles(body, types, randomUUID())
  if (left[0] !== undefined) throw refuse(`${left[0]} is kept by this gateway and cannot be given to a tool of the vendor`)
  const bytes = uses.reduce((sum, id) => sum + (files.get(id)?.bytes ?? 0), 0)
  if (bytes > MAX_CONTENT) throw tooLarge()
  const read = async (): Promise<Buffer> => join(fill(await readFiles(user_id, [...files.values()], deps)))
  const expand = () => withinBudget(bytes, deps, read)
  if (bytes <= LONG) return await expand()
  return await atPace(deps.pacedBodies, { user: user_id, reply, clock, bytes, pace: PACES.named }, expand)
}

async function withinBudget<T>(bytes: number, { bodies }: Pick<Deps, 'bodies'>, work: () => Promise<T>): Promise<T> {
  if (!bodies.take(bytes * COPIES)) throw new AppError('request.busy')
  try {
    return await work()
  } finally {
    bodies.give(bytes * COPIES)
  }
}

/** Text grows where it is escaped, so that the sum is known only here. */
function join(pieces: readonly Buffer[]): Buffer {
  if (pieces.reduce((sum, { length }) => sum + length, 0) > 2 * MAX_CONTENT) throw tooLarge()
  return Buffer.concat(pieces)
}

const tooLarge = (): AppError => new AppError('request.too-large', { limit: MAX_CONTENT })
const refuse = (detail: string): AppError => new AppError('request.field', { detail })

async function readFiles(user_id: number, files: readonly StoredFile[], deps: Deps): Promise<ReadonlyMap<string, Buffer>> {
  const read = new Map<string, Buffer>()
  for (const { id, bytes } of files) read.set(id, await buffer(piecesOf({ user_id, id, bytes }, deps)))
  return read
}
