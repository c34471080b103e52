import { isObject, type JsonObject } from '../json.ts'

/** A file of the gateway's own store, as a prompt needs it. */
export type KeptFile = { readonly filename: string; readonly mime_type: string }

/** The ids that the gateway gives; those of vendors are shorter or have capital letters. */
const KEPT_ID = /^file-[0-9a-f]{32}$/

const isKeptId = (id: unknown): id is string => typeof id === 'string' && KEPT_ID.test(id)

/** In the files of Google's API, whose names have letters and digits only. */
const GOOGLE_URI = /(?:^|\/)files\/([0-9a-f]{32})$/

export const keptFileName = (id: string): string => id.replace('file-', '')
export const keptIdOf = (name: string): string => `file-${name}`

const QUOTE = 0x22
/** Beginnings of ids in a body, and the length of an id from there. */
const STARTS = [
  { start: Buffer.from('"file-'), skip: 1, length: 37, isId: isKeptId },
  { start: Buffer.from('files/'), skip: 0, length: 38, isId: (text: string) => GOOGLE_URI.test(text) },
] as const
/** A body with more texts that begin like an id is not searched further: it is made to be slow. */
const MAX_CANDIDATES = 20_000

/** True if a body may name a file of the gateway, found without parsing it. */
export function mayNameFiles(raw: Buffer): boolean {
  return STARTS.some(({ start, skip, length, isId }) => {
    let at = raw.indexOf(start)
    for (let n = 0; at !== -1 && n < MAX_CANDIDATES; n += 1) {
      const end = at + skip + length
      if (raw[end] === QUOTE && isId(raw.toString('latin1', at + skip, end))) return true
      at = raw.indexOf(start, at + 1)
    }
    return false
  })
}

/** The gateway's files that the parts of a prompt name, each once, in the fields of every client format. */
export function keptFileIds(body: JsonObject): readonly string[] {
  const ids = new Set<string>()
  mapObjects(body, (part) => {
    const id = idIn(part)
    if (id !== undefined) ids.add(id)
    return part
  })
  return [...ids]
}

export type Expansion = {
  /** Ids of the files whose content is put in, each as often as it is. */
  readonly uses: readonly string[]
  /** Ids that stay in the body. */
  readonly left: readonly string[]
  /** The body as JSON, in pieces, from the content of every file that is used. */
  readonly fill: (contents: ReadonlyMap<string, Buffer>) => readonly Buffer[]
}

/**
 * Puts the content of files in place of their ids, since no vendor knows them. Serialises the rest of the body once: content would
 * be escaped, encoded and copied with it. `mark`: a random text that the body does not contain.
 */
export function expandFiles(body: JsonObject, files: ReadonlyMap<string, KeptFile>, mark: string): Expansion {
  const uses: string[] = []
  const place = (id: string, form: Form): string => {
    uses.push(id)
    return `${mark}${form} ${id}${mark}`
  }
  const changed = mapObjects(body, (part) => {
    const id = idIn(part) ?? ''
    const file = files.get(id)
    return file === undefined ? part : inlined(part, file, (form) => place(id, form))
  })
  const expanded = isObject(changed) ? changed : body
  const parts = JSON.stringify(expanded).split(mark)
  return { uses, left: keptFileIds(expanded), fill: (contents) => fill(parts, contents) }
}

type Form = 'base64' | 'text'

/** Every second part stands for content. */
function fill(parts: readonly string[], contents: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  const made = new Map<string, Buffer>()
  return parts.map((part, n) => {
    if (n % 2 === 0) return Buffer.from(part)
    const before = made.get(part)
    if (before !== undefined) return before
    const [form, id = ''] = part.split(' ')
    const content = contents.get(id) ?? Buffer.alloc(0)
    const written = form === 'text' ? JSON.stringify(content.toString()).slice(1, -1) : content.toString('base64')
    const bytes = Buffer.from(written)
    made.set(part, bytes)
    return bytes
  })
}

function idIn(part: JsonObject): string | undefined {
  const { type, source, file, file_id } = part
  if (isObject(source) && source['type'] === 'file' && isKeptId(source['file_id'])) return source['file_id']
  const data = part['fileData'] ?? part['file_data']
  const uri = isObject(data) ? (data['fileUri'] ?? data['file_uri']) : undefined
  const name = typeof uri === 'string' ? GOOGLE_URI.exec(uri)?.[1] : undefined
  if (name !== undefined) return keptIdOf(name)
  if (type === 'file' && isObject(file) && isKeptId(file['file_id'])) return file['file_id']
  return isKeptId(file_id) ? file_id : undefined
}

/**
 * Messages: https://platform.claude.com/docs/en/build-with-claude/files · Chat Completions and Responses:
 * https://developers.openai.com/api/docs/guides/file-inputs (read 2026-11-28)
 */
function inlined(part: JsonObject, { filename, mime_type }: KeptFile, place: (form: Form) => string): JsonObject {
  const dataUrl = (): string => `data:${mime_type};base64,${place('base64')}`
  const isImage = mime_type.startsWith('image/')
  if (isObject(part['source'])) return { ...part, source: sourceOf(mime_type, place) }
  if ('fileData' in part || 'file_data' in part) {
    const { fileData: _file, file_data: _data, ...rest } = part
    return { ...rest, inlineData: { mimeType: mime_type, data: place('base64') } }
  }
  if (part['type'] === 'file')
    return isImage ? { type: 'image_url', image_url: { url: dataUrl() } } : { type: 'file', file: { filename, file_data: dataUrl() } }
  const { file_id: _id, ...rest } = part
  if (part['type'] === 'input_image') return { ...rest, image_url: dataUrl() }
  return part['type'] === 'input_file' ? { ...rest, filename, file_data: dataUrl() } : part
}

/** Messages take documents of plain text as text. */
function sourceOf(media_type: string, place: (form: Form) => string): JsonObject {
  if (media_type.startsWith('text/')) return { type: 'text', media_type: 'text/plain', data: place('text') }
  return { type: 'base64', media_type, data: place('base64') }
}

function mapObjects(value: unknown, change: (part: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, change))
  if (!isObject(value)) return value
  const changed = change(value)
  if (changed !== value) return changed
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapObjects(one, change)]))
}
