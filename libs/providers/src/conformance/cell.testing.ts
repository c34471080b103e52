import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { RenderedError } from '../chat/codec.ts'
import type { ChatFormat, MediaSource } from '../chat/request.ts'
import type { AnswerStream, StreamEnding } from '../chat/stream.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { chatOperation } from '../operations/chat.ts'
import type { Encoded, Translator, WholeRead } from '../calls/operation.ts'
import { UPSTREAM_MODEL } from './cases.ts'

/** Tests only: one client format against one vendor format, connected as in the relay, with fixtures as client and vendor. */
export type Cell = { readonly client: ChatFormat; readonly vendor: ChatFormat }

const FIXTURES = join(import.meta.dirname, '__fixtures__')
const IMAGE_URL = 'https://images.example/cat.png'
const FETCHED: MediaSource = { kind: 'base64', media_type: 'image/png', data: 'ZmV0Y2hlZA==' }

export const requestFile = (client: ChatFormat, name: string) => `requests/${client}/${name}.json`
export const answerFile = (vendor: ChatFormat, name: string) => `answers/${vendor}/${name}`
export const readFixture = (file: string): Buffer => readFileSync(join(FIXTURES, file))

/** The first characters of the SHA-256 of files, for the matrix. */
export function hashOf(contents: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const content of contents) hash.update(content)
  return hash.digest('hex').slice(0, 12)
}

const countLetters: CountInto = (counts, text) => {
  counts.letters += text.length
}

/** Creates the translator of a cell for a request. */
export function createTranslator({ client, vendor }: Cell, raw: Buffer, isStream: boolean): Translator {
  const operation = chatOperation(chatCodecs[client])
  const decoded = operation.readRequest(JSON.parse(raw.toString()), { model: 'the-model', is_stream: isStream })
  if (decoded.kind === 'invalid') throw new Error(`${client}: ${decoded.detail}`)
  return operation.createTranslator(vendor, {
    request: decoded.request,
    raw,
    content_type: 'application/json',
    request_id: 'request-1',
    created: 1_700_000_000,
    prompt_tokens: 11,
    count: countLetters,
    settings: { default_max_tokens: () => 8192, safety_settings: [], makes_images: () => false },
  })
}

/** Encodes the request for the vendor. */
export function sendThrough({ client, vendor }: Cell, translator: Translator): Encoded & { readonly media: readonly string[] } {
  const media = translator.media()
  const encoded = translator.encode({
    upstream_model: client === vendor ? 'the-model' : UPSTREAM_MODEL[vendor],
    supports_stream_options: true,
    param_override: {},
    patch: undefined,
    media: new Map(media.includes(IMAGE_URL) ? [[IMAGE_URL, FETCHED]] : []),
  })
  return { ...encoded, media }
}

export type Streamed = {
  /** Bytes that the client receives before settlement, after it, and instead of it if upstream failed. */
  readonly passed: Buffer
  readonly closing: Buffer
  readonly error: string | undefined
  readonly ending: StreamEnding
  readonly usage: Usage | undefined
  readonly warnings: readonly string[]
}

/** Sends upstream's stream to the client in these pieces. */
export function streamThrough({ client, vendor }: Cell, translator: Translator, pieces: readonly Buffer[]): Streamed {
  const stream = translator.openStream()
  const out = pieces.map((piece) => stream.push(piece))
  const { rest, ending } = stream.close()
  const { failure, usage } = stream.facts
  const isWhole = ending === 'done' || ending === 'finished'
  const told = failure ?? (isWhole ? undefined : CUT)
  return {
    passed: Buffer.concat([...out, rest]),
    closing: isWhole ? stream.closing(usage ?? ESTIMATED) : Buffer.alloc(0),
    error: told === undefined ? undefined : renderedIn(stream, client, toRendered(told, client === vendor)),
    ending,
    usage,
    warnings: stream.warnings ?? [],
  }
}

const renderedIn = (stream: AnswerStream, client: Cell['client'], error: RenderedError) =>
  stream.renderError?.(error) ?? chatCodecs[client].client.renderStreamError(error)

export function readThrough(translator: Translator, body: Buffer): WholeRead {
  return translator.readWhole(body, 'application/json')
}

/** Renders an error answer for the client. */
export function refuseThrough(
  { client, vendor }: Cell,
  translator: Translator,
  status: number,
  body: Buffer,
): { status: number; body: string } {
  const error = toRendered(translator.decodeError(status, body.toString()), client === vendor)
  return { status: error.status, body: chatCodecs[client].client.renderError(error) }
}

/** Renders a failure for the client. */
export function renderFailure({ client, vendor }: Cell, failure: UpstreamFailure): string {
  return chatCodecs[client].client.renderError(toRendered(failure, client === vendor))
}

const CUT: UpstreamFailure = { kind: 'network', status: 502, message: 'upstream broke off', code: 'upstream_network' }

const ESTIMATED: Usage = { ...ZERO_USAGE, text_in: 11, text_out: 3, prompt_tokens: 11, completion_tokens: 3, source: 'estimated' }

/** As the relay renders it (services/relay/src/response/refuse.ts), without the request id. */
function toRendered(
  { status = 502, message, type = 'upstream_error', code = '', param = '', body }: UpstreamFailure,
  isSameFormat: boolean,
): RenderedError {
  return { status, message, type, code, param, ...(isSameFormat ? { upstream_body: body } : {}) }
}
