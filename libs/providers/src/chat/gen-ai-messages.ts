import { parseJson, type JsonObject } from '../json.ts'
import type { Finish } from './answer-facts.ts'
import type { ModelEvent } from './events.ts'
import type { ChatRequest, DocumentPart, MediaSource, Message, Part } from './request.ts'

/**
 * Prompts and answers as the attributes `gen_ai.input.messages` and `gen_ai.output.messages` of OpenTelemetry's conventions for generative
 * AI: https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-input-messages.json
 */
export type GenAiMessages = {
  /** JSON text of the list. */
  readonly json: string
  /** Older messages were left out, or texts were cut. */
  readonly is_cut: boolean
}

/** Characters of the JSON text of one attribute: a full batch of spans stays below the 20 MiB that a collector accepts by default. */
export const MAX_MESSAGES = 16_384

type GenAiPart = JsonObject & { readonly type: string }
type GenAiMessage = { readonly role: string; readonly parts: readonly GenAiPart[]; readonly finish_reason?: string }

/** The conversation of a request. */
export function toInputMessages({ messages }: Pick<ChatRequest, 'messages'>): GenAiMessages {
  return fit(messages.flatMap(toMessages))
}

/** Results of tools are messages of their own role. */
function toMessages({ role, parts, name }: Message): GenAiMessage[] {
  const results = parts.filter(({ kind }) => kind === 'tool-result')
  const others = parts.filter(({ kind }) => kind !== 'tool-result')
  const own = { role, parts: others.flatMap(toPart), ...(name === undefined ? {} : { name }) }
  const tool = { role: 'tool', parts: results.flatMap(toPart) }
  return [tool, own].filter((message) => message.parts.length > 0)
}

function toPart(part: Part): GenAiPart[] {
  switch (part.kind) {
    case 'text':
      return [textPart(part.text)]
    case 'image':
    case 'audio':
    case 'video':
      return [mediaPart(part.kind, part.source)]
    case 'document':
      return [documentPart(part)]
    case 'thinking':
      return [{ type: 'reasoning', content: part.text }]
    case 'redacted-thinking':
      return []
    case 'tool-call':
      return [{ type: 'tool_call', id: part.id, name: part.name, arguments: parseJson(part.arguments) ?? part.arguments }]
    case 'tool-result':
      return [{ type: 'tool_call_response', id: part.call_id, response: responseOf(part.content.flatMap(toPart)) }]
    case 'refusal':
      return [{ type: 'refusal', content: part.text }]
    case 'vendor-specific':
      return [{ type: part.type }]
  }
}

const textPart = (content: string): GenAiPart => ({ type: 'text', content })

function responseOf(parts: readonly GenAiPart[]): unknown {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only['content'] : parts
}

const documentPart = ({ source }: DocumentPart): GenAiPart =>
  source.kind === 'text' ? textPart(source.text) : mediaPart('document', source)

/** Media without their content: type and size, or the address without its query, which can be a credential. */
function mediaPart(modality: string, source: MediaSource): GenAiPart {
  if (source.kind === 'file') return { type: 'file', modality, file_id: source.id }
  const mime = source.media_type === undefined ? {} : { mime_type: source.media_type }
  if (source.kind === 'url') return { type: 'uri', modality, ...mime, uri: source.url.replace(/[?#].*$/s, '') }
  return { type: 'blob', modality, ...mime, size: Buffer.byteLength(source.data, 'base64') }
}

const FINISH_REASONS = {
  stop: 'stop',
  length: 'length',
  tools: 'tool_call',
  filter: 'content_filter',
  other: 'other',
} as const satisfies Record<Finish, string>

/** The conventions' word for the end of an answer; an answer without one broke off. */
export const finishReasonOf = (finish: Finish | undefined): string => (finish === undefined ? 'error' : FINISH_REASONS[finish])

type Piece =
  | { readonly kind: 'text' | 'reasoning' | 'refusal'; text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; text: string }
  | { readonly kind: 'part'; readonly part: GenAiPart }

/** Collects an answer from its events, of each text as much as one attribute can hold. */
export class OutputMessages {
  readonly #pieces: Piece[] = []
  readonly #calls = new Map<number, Extract<Piece, { kind: 'call' }>>()
  #finish: Finish | undefined
  #isCut = false

  push(event: ModelEvent): void {
    if (event.kind === 'finish') this.#finish = event.finish
    else if (event.kind === 'text' || event.kind === 'reasoning' || event.kind === 'refusal') this.#addText(event.kind, event.text)
    else if (event.kind === 'tool-call') this.#openCall(event)
    else if (event.kind === 'tool-arguments') this.#append(this.#calls.get(event.index), event.text)
    else if (event.kind === 'image') this.#addMedia('image', event.data, event.media_type)
    else if (event.kind === 'audio') this.#addMedia('audio', event.data)
    else if (event.kind === 'vendor-specific') this.#add({ kind: 'part', part: { type: event.type } })
  }

  /** Undefined: the answer has no content. */
  end(): GenAiMessages | undefined {
    if (this.#pieces.length === 0) return undefined
    const { json, is_cut } = fit([{ role: 'assistant', parts: this.#pieces.map(fromPiece), finish_reason: finishReasonOf(this.#finish) }])
    return { json, is_cut: is_cut || this.#isCut }
  }

  #addText(kind: 'text' | 'reasoning' | 'refusal', text: string): void {
    const last = this.#pieces.at(-1)
    if (last?.kind === kind) this.#append(last, text)
    else this.#append(this.#add({ kind, text: '' }), text)
  }

  #openCall({ index, id, name }: Extract<ModelEvent, { kind: 'tool-call' }>): void {
    const call = this.#add({ kind: 'call', id, name, text: '' })
    if (call !== undefined) this.#calls.set(index, call)
  }

  #addMedia(modality: string, data: string, media_type?: string): void {
    const source = { kind: 'base64', media_type: media_type ?? `${modality}/*`, data } as const
    this.#add({ kind: 'part', part: mediaPart(modality, source) })
  }

  /** Undefined: there are more parts than an attribute can hold. */
  #add<P extends Piece>(piece: P): P | undefined {
    if (this.#pieces.length === MAX_PARTS) {
      this.#isCut = true
      return undefined
    }
    this.#pieces.push(piece)
    return piece
  }

  #append(piece: Exclude<Piece, { kind: 'part' }> | undefined, text: string): void {
    if (piece === undefined) return
    const rest = MAX_MESSAGES - piece.text.length
    if (text.length > rest) this.#isCut = true
    piece.text += text.slice(0, rest)
  }
}

/** Even empty parts of so many fill an attribute. */
const MAX_PARTS = 256

function fromPiece(piece: Piece): GenAiPart {
  if (piece.kind === 'part') return piece.part
  if (piece.kind !== 'call') return { type: piece.kind, content: piece.text }
  return { type: 'tool_call', id: piece.id, name: piece.name, arguments: parseJson(piece.text) ?? piece.text }
}

/** The newest messages that fit; the text at which the space ends is cut. */
function fit(messages: readonly GenAiMessage[]): GenAiMessages {
  const kept: string[] = []
  let rest = MAX_MESSAGES - '[]'.length
  for (const message of messages.toReversed()) {
    const whole = JSON.stringify(message)
    const json = whole.length < rest ? whole : shorten(message, rest)
    if (json !== undefined) kept.unshift(json)
    if (json !== whole) return { json: `[${kept.join(',')}]`, is_cut: true }
    rest -= json.length + ','.length
  }
  return { json: `[${kept.join(',')}]`, is_cut: false }
}

/** The message with as many of its parts as fit and the beginning of the next one's text; undefined: nothing of it fits. */
function shorten({ parts, ...message }: GenAiMessage, space: number): string | undefined {
  const kept: GenAiPart[] = []
  let rest = space - JSON.stringify({ ...message, parts: [] }).length
  for (const part of parts) {
    const size = JSON.stringify(part).length + ','.length
    const fitting = size < rest ? part : shortenText(part, rest)
    if (fitting !== undefined) kept.push(fitting)
    if (fitting !== part) break
    rest -= size
  }
  return kept.length === 0 ? undefined : JSON.stringify({ ...message, parts: kept })
}

/** A character takes up to six in JSON text. */
const ESCAPED = 6

function shortenText(part: GenAiPart, space: number): GenAiPart | undefined {
  const field = part.type === 'tool_call_response' ? 'response' : 'content'
  const text = part[field]
  const rest = space - JSON.stringify({ ...part, [field]: '…' }).length - ','.length
  if (typeof text !== 'string' || rest <= 0) return undefined
  const isPlain = JSON.stringify(text.slice(0, rest)).length - '""'.length <= rest
  return { ...part, [field]: `${text.slice(0, isPlain ? rest : Math.floor(rest / ESCAPED))}…` }
}
