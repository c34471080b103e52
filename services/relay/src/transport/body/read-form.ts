import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { AppError } from '@tollgate/contracts/app-error'
import type { Form, FormPart } from '@tollgate/providers/form'
import type { Operation } from '@tollgate/providers/calls/operation'
import { measureAudio } from './measure-audio.ts'

/** The longest value of a form is its prompt. */
const LIMITS = { fieldNameSize: 200, fieldSize: 1024 * 1024, fields: 100, files: 100, headerPairs: 20 } as const

/** Parses a multipart body. Files stay views of the body's bytes. Errors name the problem and repeat no part of the body. */
export async function readForm(
  incoming: Pick<IncomingMessage, 'headers'>,
  bytes: Buffer,
  operation: Pick<Operation, 'measures'>,
): Promise<Form> {
  const type = incoming.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw invalid('the body must be multipart/form-data')
  const parts = await readParts(type, bytes)
  if (operation.measures === undefined) return { parts }
  const file = parts.find((part) => part.kind === 'file' && part.name === 'file')
  return file?.kind === 'file' ? { parts, audio: await measureAudio(file) } : { parts }
}

const invalid = (detail: string, cause?: unknown) => new AppError('request.invalid', { detail }, { cause })

function readParts(type: string, bytes: Buffer): Promise<FormPart[]> {
  return new Promise((resolve, reject) => {
    const parts: FormPart[] = []
    const stop = (cause?: unknown) => reject(invalid('the form cannot be read', cause))
    const busboy = open(type)
    const progress = { events: 0, isOver: false }
    busboy.on('field', (name, value, isNameCut, isValueCut) => {
      progress.events += 1
      if (isNameCut || isValueCut) reject(invalid('a field of the form is too long'))
      else parts.push({ kind: 'field', name, value })
    })
    busboy.on('file', (name, stream, filename, _encoding, mime) => {
      const chunks: Buffer[] = []
      progress.events += 1
      stream.on('data', () => (progress.events += 1))
      // A file is ordered by where it begins, not by where it ends.
      const at = parts.push({ kind: 'file', name, filename, type: mime, bytes: NOTHING }) - 1
      read(stream, chunks, stop, () => {
        parts[at] = { kind: 'file', name, filename, type: mime, bytes: join(chunks) }
      })
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      busboy.on(limit, () => reject(invalid('the form has too many parts')))
    busboy.on('error', stop)
    busboy.on('finish', () => {
      progress.isOver = true
      resolve(parts)
    })
    busboy.end(bytes)
    stopWhenStuck(progress, stop)
  })
}

/** The parser has all bytes, so each of its events follows the last one within a turn of the event loop. */
const MAX_IDLE_TURNS = 8

/** The parser never ends if a part that it ignores itself, as one behind a wrong boundary, is longer than its buffer. */
function stopWhenStuck(progress: { readonly events: number; readonly isOver: boolean }, stop: () => void): void {
  let idle = 0
  let seen = 0
  const look = (): void => {
    if (progress.isOver) return
    idle = progress.events === seen ? idle + 1 : 0
    seen = progress.events
    if (idle > MAX_IDLE_TURNS) stop()
    else setImmediate(look)
  }
  setImmediate(look)
}

const NOTHING = Buffer.alloc(0)

function open(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: LIMITS, preservePath: true })
  } catch (cause) {
    throw invalid('the form has no boundary', cause)
  }
}

function read(stream: BusboyFileStream, chunks: Buffer[], onError: (cause: unknown) => void, onEnd: () => void): void {
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('error', onError)
  stream.on('end', onEnd)
}

/** Joins the pieces of a file: as a view of the body if they are adjacent, otherwise as a copy. */
function join(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  if (first === undefined) return NOTHING
  let end = first.byteOffset
  for (const { buffer, byteOffset, length } of chunks) {
    if (buffer !== first.buffer || byteOffset !== end) return Buffer.concat(chunks)
    end += length
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset)
}
