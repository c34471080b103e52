import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import { MAX_BATCH_LINES, MAX_LINE_BYTES, type GeminiBatchEndpoint } from '@tollgate/contracts/deferred/deferred'
import { fieldAt } from '@tollgate/providers/chat/formats/gemini/fields'
import { isObject, parseJson } from '@tollgate/providers/json'
import { elementsAt, textAtStart, walkMembers, type Span } from '@tollgate/providers/json-splice'

/** Requests of one turn of the event loop. */
const AT_ONCE = 100
/** Characters of what a client adds to a request, to recognise its answer. */
const MAX_MARK = 400

const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const LINE_END = 0x0a

const refusal = (detail: string, field: string) => new AppError('request.field', { detail, field })

type Target = { readonly model: string; readonly endpoint: GeminiBatchEndpoint }

/** Settings of a new batch, and the place of its requests. */
export type BatchBody = {
  readonly display_name: string
  readonly file_name: string | undefined
  readonly has_webhook: boolean
  readonly requests: readonly Span[]
}

/** Bytes of a text that is read of a body. */
const MAX_TEXT = 4096

/** Looks through a body once, without parsing it, so that a large one does not stop other requests. */
export function readBatchBody(raw: Buffer): BatchBody {
  const found = { display_name: '', file_name: undefined as string | undefined, has_webhook: false, requests: [] as readonly Span[] }
  const text = (start: number) => textAtStart(raw, start, MAX_TEXT)
  const within = (start: number, onMember: (name: string, at: number) => number | undefined) =>
    raw[start] === OPEN_OBJECT ? walkMembers(raw, start, onMember) : undefined
  const inRequests = (name: string, start: number): number | undefined => {
    if (name !== 'requests' || raw[start] !== OPEN_ARRAY) return undefined
    found.requests = elementsAt(raw, start)
    return raw.indexOf(CLOSE_ARRAY, found.requests.at(-1)?.end ?? start) + 1
  }
  const inConfig = (name: string, start: number): number | undefined => {
    if (camel(name) === 'fileName') found.file_name = text(start)
    return name === 'requests' ? within(start, inRequests) : undefined
  }
  const inBatch = (name: string, start: number): number | undefined => {
    if (camel(name) === 'displayName') found.display_name = text(start) ?? ''
    if (camel(name) === 'webhookConfig') found.has_webhook = true
    return camel(name) === 'inputConfig' ? within(start, inConfig) : undefined
  }
  within(Math.max(0, raw.indexOf(OPEN_OBJECT)), (name, start) => (name === 'batch' ? within(start, inBatch) : undefined))
  return found
}

/** Fields may be in snake case. */
const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The lines of a batch's input, from the requests of its body, each of which is parsed by itself.
 * https://ai.google.dev/gemini-api/docs/batch-api
 */
export async function fromInlined(raw: Buffer, spans: readonly Span[], target: Target): Promise<Buffer> {
  return await toLines(spans.length, target, (at) => {
    const path = `batch.inputConfig.requests.requests.${at}`
    const given = parseJson(raw.toString('utf8', spans[at]?.start, spans[at]?.end))
    if (!isObject(given)) throw refusal(`${path}: each request must be a JSON object`, path)
    return { path, request: fieldAt(given, 'request'), mark: fieldAt(given, 'metadata') }
  })
}

/** The same from a file of the user's: a JSON object with `key` and `request` in each line. */
export async function fromFile(bytes: Buffer, target: Target): Promise<Buffer> {
  const spans = linesOf(bytes)
  return await toLines(spans.length, target, (at) => {
    const path = `line ${at + 1}`
    const given = parseJson(bytes.toString('utf8', spans[at]?.start, spans[at]?.end))
    if (!isObject(given)) throw refusal(`${path}: must be a JSON object with key and request`, path)
    return { path, request: fieldAt(given, 'request'), mark: fieldAt(given, 'key') }
  })
}

/** Lines that are not blank. */
function linesOf(bytes: Buffer): Span[] {
  const spans: Span[] = []
  for (let start = 0; start < bytes.length;) {
    const next = bytes.indexOf(LINE_END, start)
    const end = next === -1 ? bytes.length : next
    const isBlank = end - start < 3 && bytes.toString('latin1', start, end).trim() === ''
    if (!isBlank) spans.push({ start, end })
    start = end + 1
  }
  return spans
}

type Given = { readonly path: string; readonly request: unknown; readonly mark: unknown }

async function toLines(count: number, target: Target, at: (n: number) => Given): Promise<Buffer> {
  if (count === 0) throw refusal('a batch needs at least one request', 'batch.inputConfig')
  if (count > MAX_BATCH_LINES) throw refusal(`a batch has at most ${MAX_BATCH_LINES} requests`, 'batch.inputConfig')
  const lines: Buffer[] = []
  for (let n = 0; n < count; n += 1) {
    if (n % AT_ONCE === AT_ONCE - 1) await nextTurn()
    lines.push(Buffer.from(toLine(n, at(n), target)))
  }
  return Buffer.concat(lines)
}

/** A refusal that only the vendor's model could give becomes the answer to its line. */
function toLine(n: number, { path, request, mark }: Given, { model, endpoint }: Target): string {
  if (!isObject(request)) throw refusal(`${path}: request is required`, path)
  const { model: given, ...body } = request
  const named = typeof given === 'string' ? given.replace(/^models\//, '') : undefined
  if (named !== undefined && named !== model) throw refusal(`${path}: the model must be that of the batch, ${model}`, path)
  const custom_id = encodeMark(n, mark)
  if (custom_id.length > MAX_MARK) throw refusal(`${path}: its key or metadata has more than ${MAX_MARK} characters`, path)
  const line = `${JSON.stringify({ custom_id, method: 'POST', url: endpoint, body })}\n`
  if (Buffer.byteLength(line) > MAX_LINE_BYTES) throw refusal(`${path}: a request has at most ${MAX_LINE_BYTES} bytes`, path)
  return line
}

/** The place of a request in its batch, and the client's mark on it. */
export const encodeMark = (n: number, mark: unknown): string => (mark === undefined ? String(n) : `${n} ${JSON.stringify(mark)}`)

export function decodeMark(custom_id: string): { readonly n: number; readonly mark: unknown } {
  const at = custom_id.indexOf(' ')
  return at === -1
    ? { n: Number(custom_id), mark: undefined }
    : { n: Number(custom_id.slice(0, at)), mark: parseJson(custom_id.slice(at + 1)) }
}
