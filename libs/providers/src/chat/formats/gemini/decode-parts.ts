import { argumentsText } from '../../call-arguments.ts'
import { sha256 } from '../../sha256.ts'
import type { DocumentPart, ImagePart, MediaSource, Message, Part, TextPart, ToolResultPart } from '../../request.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { booleanField, fieldAt, listField, objectField, textField } from './fields.ts'
import { decodeProof } from './signature.ts'

type Turn = { readonly role: 'assistant' | 'user'; readonly parts: Part[] }

/**
 * Decodes the contents of a checked body to messages; calls without an id get one, and results find their calls by name and order. Google counts
 * results and does not compare names, and Semantic Kernel 1.45 gives them other names than their calls.
 */
export function decodeContents(contents: readonly unknown[]): Message[] {
  const calls = new Calls(contents)
  const turns: Turn[] = []
  for (const [at, content] of contents.entries()) {
    const role = roleOf(content)
    if (role !== turns.at(-1)?.role) calls.beginTurn(role === 'user' ? resultsFrom(contents, at) : [])
    const parts = listField(content, 'parts').flatMap((part) => decodePart(part, calls))
    const last = turns.at(-1)
    const turn: Turn = last?.role === role ? last : { role, parts: [] }
    if (turn !== last) turns.push(turn)
    for (const part of parts) addPart(turn.parts, part, role === 'assistant')
  }
  return turns
}

const roleOf = (content: unknown): Turn['role'] => (textField(content, 'role') === 'model' ? 'assistant' : 'user')

/** The results of the turn that begins here. */
function resultsFrom(contents: readonly unknown[], at: number): JsonObject[] {
  const results: JsonObject[] = []
  for (let next = at; next < contents.length && roleOf(contents[next]) === 'user'; next += 1) {
    for (const part of listField(contents[next], 'parts')) {
      const result = resultIn(part)
      if (result !== undefined) results.push(result)
    }
  }
  return results
}

/**
 * Google's clients keep a streamed answer as its chunks, each a content: pieces of one text are joined again, and a signature joins the
 * thought it belongs to.
 */
function addPart(parts: Part[], part: Part, isAnswer: boolean): void {
  const last = parts.at(-1)
  if (isAnswer && last?.kind === 'text' && part.kind === 'text') {
    parts[parts.length - 1] = { kind: 'text', text: last.text + part.text }
  } else if (last?.kind === 'thinking' && part.kind === 'thinking' && last.signature === undefined) {
    parts[parts.length - 1] = { ...part, text: last.text + part.text }
  } else parts.push(part)
}

/** The system instruction; Google accepts a content or a plain text. */
export function decodeSystem(instruction: unknown): Message[] {
  if (typeof instruction === 'string') return [{ role: 'system', parts: [{ kind: 'text', text: instruction }] }]
  const parts = listField(instruction, 'parts').flatMap((part) => decodePart(part, new Calls([])))
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

/** The calls of a conversation that have no result yet, in order. */
class Calls {
  readonly #given: ReadonlySet<string>
  readonly #byId = new OpenCalls()
  readonly #byName = new OpenCalls()
  readonly #made = new Set<string>()
  /** The number of the next call that is like this one. */
  readonly #copies = new Map<string, number>()
  #ofTurn: OpenCall[] = []
  /** Calls of the turn before that no result of this one names. */
  #unnamed: OpenCall[] = []

  constructor(contents: readonly unknown[]) {
    const parts = contents.flatMap((content) => listField(content, 'parts'))
    this.#given = new Set(parts.flatMap((part) => textField(fieldAt(part, 'functionCall'), 'id') ?? []))
  }

  /** Begins a turn with these results. */
  beginTurn(results: readonly JsonObject[]): void {
    const names = new Set(results.map(nameOf))
    const isWhole = results.length === this.#ofTurn.length
    this.#unnamed = isWhole ? this.#ofTurn.filter(({ name }) => !names.has(name)).reverse() : []
    this.#ofTurn = []
  }

  begin(call: JsonObject, given: string | undefined): string {
    const id = given ?? this.#make(call)
    const open = { id, name: nameOf(call), isOver: false }
    this.#byId.add(id, open)
    this.#byName.add(open.name, open)
    this.#ofTurn.push(open)
    return id
  }

  /**
   * The id of the call that a result belongs to: the one with its id, else the first open call of its name, else the next that no result names,
   * else an id of its own.
   */
  end(result: JsonObject, given: string | undefined): string {
    const isKnown = given !== undefined && this.#given.has(given)
    const found = isKnown ? this.#byId.take(given) : (this.#byName.take(nameOf(result)) ?? this.#takeUnnamed())
    return (isKnown ? given : found?.id) ?? given ?? this.#make(result)
  }

  #takeUnnamed(): OpenCall | undefined {
    let call = this.#unnamed.pop()
    while (call?.isOver === true) call = this.#unnamed.pop()
    if (call !== undefined) call.isOver = true
    return call
  }

  /** An id that follows from the call itself, so that it stays the same when turns before it are left out. */
  #make(call: JsonObject): string {
    const base = `call_${sha256(JSON.stringify(call)).slice(0, 24)}`
    let next = this.#copies.get(base) ?? 1
    const isTaken = (id: string): boolean => this.#given.has(id) || this.#made.has(id)
    let id = next === 1 ? base : `${base}_${next}`
    for (; isTaken(id); id = `${base}_${next}`) next += 1
    this.#copies.set(base, next + 1)
    this.#made.add(id)
    return id
  }
}

type OpenCall = { readonly id: string; readonly name: string; isOver: boolean }

const nameOf = (callOrResult: JsonObject): string => textAt(callOrResult, 'name') ?? ''

/** Calls without a result, in their order under each name. */
class OpenCalls {
  readonly #queues = new Map<string, { readonly calls: OpenCall[]; at: number }>()

  add(name: string, call: OpenCall): void {
    const queue = this.#queues.get(name) ?? { calls: [], at: 0 }
    queue.calls.push(call)
    this.#queues.set(name, queue)
  }

  /** Ends the first one under this name; undefined: there is none. */
  take(name: string): OpenCall | undefined {
    const queue = this.#queues.get(name)
    if (queue === undefined) return undefined
    while (queue.calls[queue.at]?.isOver === true) queue.at += 1
    const call = queue.calls[queue.at]
    if (call !== undefined) call.isOver = true
    return call
  }
}

/** Decodes one part; without the calls before it, a result has an id of its own. */
export function decodePart(part: unknown, calls = new Calls([])): Part[] {
  const call = fieldAt(part, 'functionCall')
  if (isObject(call)) return [decodeCall(part, call, calls)]
  const result = resultIn(part)
  if (result !== undefined) return [decodeResult(result, calls)]
  const media = mediaIn(part)
  if (media !== undefined) return [media]
  const text = fieldAt(part, 'text')
  const signature = textField(part, 'thoughtSignature')
  if (booleanField(part, 'thought') === true) return [decodeThought(typeof text === 'string' ? text : '', signature)]
  if (typeof text !== 'string') return vendorSpecific(part)
  const proof: Part[] = signature === undefined ? [] : [decodeThought('', signature)]
  return text === '' && proof.length > 0 ? proof : [...proof, { kind: 'text', text }]
}

function resultIn(part: unknown): JsonObject | undefined {
  const result = fieldAt(part, 'functionResponse')
  return isObject(result) ? result : undefined
}

function decodeThought(text: string, signature: string | undefined): Part {
  if (signature === undefined) return { kind: 'thinking', text, by: 'gemini' }
  const proof = decodeProof(signature)
  if (proof.kind === 'redacted') return { kind: 'redacted-thinking', data: proof.text, by: proof.by }
  return { kind: 'thinking', text, signature: proof.text, by: proof.by }
}

function decodeCall(part: unknown, call: JsonObject, calls: Calls): Part {
  const name = textAt(call, 'name') ?? ''
  const signature = textField(part, 'thoughtSignature')
  return {
    kind: 'tool-call',
    id: calls.begin(call, textAt(call, 'id')),
    name,
    arguments: argumentsText(fieldAt(call, 'args') ?? {}),
    ...(signature === undefined ? {} : { signature }),
  }
}

function decodeResult(result: JsonObject, calls: Calls): ToolResultPart {
  const name = nameOf(result)
  const response = objectField(result, 'response')
  const media = listField(result, 'parts').flatMap((inner) => mediaIn(inner) ?? [])
  return {
    kind: 'tool-result',
    call_id: calls.end(result, textAt(result, 'id')),
    ...(name === '' ? {} : { name }),
    content: [...textOf(response), ...media.filter((inner) => inner.kind === 'image' || inner.kind === 'document')],
    ...(isError(response) ? { is_error: true } : {}),
  }
}

/** `output` and `error` are Google's own keys for a result; any other object is the output itself. */
function textOf(response: JsonObject): TextPart[] {
  const [only, ...others] = Object.entries(response)
  if (only === undefined) return []
  const isBare = others.length === 0 && (only[0] === 'output' || only[0] === 'error')
  const value = isBare ? only[1] : response
  return [{ kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }]
}

function isError(response: JsonObject): boolean {
  return Object.keys(response).length === 1 && response['error'] !== undefined
}

function mediaIn(part: unknown): ImagePart | DocumentPart | Extract<Part, { kind: 'audio' | 'video' }> | undefined {
  const inline = objectField(part, 'inlineData')
  const data = textAt(inline, 'data')
  if (data !== undefined) {
    const media_type = textField(inline, 'mimeType') ?? 'application/octet-stream'
    return toMedia({ kind: 'base64', media_type, data: toStandardAlphabet(data) }, media_type, textField(inline, 'displayName'))
  }
  const linked = objectField(part, 'fileData')
  const uri = textField(linked, 'fileUri')
  if (uri === undefined) return undefined
  const media_type = textField(linked, 'mimeType') ?? typeByName(uri)
  return toMedia(sourceOf(uri, media_type), media_type ?? '', textField(linked, 'displayName'))
}

/** Google accepts base64 in both alphabets, and its Python client sends the URL-safe one; other vendors accept only the standard one. */
function toStandardAlphabet(data: string): string {
  return data.includes('-') || data.includes('_') ? data.replaceAll('-', '+').replaceAll('_', '/') : data
}

/** URIs of Google's own stores work for Google only. */
function sourceOf(uri: string, media_type: string | undefined): MediaSource {
  const isOwn = !/^https?:/i.test(uri) || /^https:\/\/generativelanguage\.googleapis\.com\//i.test(uri)
  if (isOwn) return { kind: 'file', id: uri, by: 'gemini' }
  return { kind: 'url', url: uri, ...(media_type === undefined ? {} : { media_type }) }
}

function toMedia(source: MediaSource, media_type: string, name: string | undefined): ReturnType<typeof mediaIn> {
  const kind = mediaKindOf(media_type)
  return kind === 'document' ? { kind, source, ...(name === undefined ? {} : { name }) } : { kind, source }
}

/** The kind of part that a media type belongs to. */
export function mediaKindOf(media_type: string): 'image' | 'audio' | 'video' | 'document' {
  if (media_type.startsWith('image/')) return 'image'
  if (media_type.startsWith('audio/')) return 'audio'
  return media_type.startsWith('video/') ? 'video' : 'document'
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  txt: 'text/plain',
}

function typeByName(uri: string): string | undefined {
  if (/^https?:\/\/(www\.)?(youtube\.com|youtu\.be)\//i.test(uri)) return 'video/mp4'
  return TYPES[/\.(\w+)(?:[?#]|$)/.exec(uri)?.[1]?.toLowerCase() ?? '']
}

/** A part that only Google has (executed code, a tool it used), named after its field. */
function vendorSpecific(part: unknown): Part[] {
  if (!isObject(part)) return []
  const type = Object.keys(part).find((name) => isObject(part[name]))
  return type === undefined ? [] : [{ kind: 'vendor-specific', by: 'gemini', type, raw: part }]
}
