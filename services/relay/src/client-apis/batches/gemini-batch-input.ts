import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import { MAX_BATCH_LINES, MAX_LINE_BYTES, type GeminiBatchEndpoint } from '@tollgate/contracts/deferred/deferred'
import { fieldAt } from '@tollgate/providers/chat/formats/gemini/fields'
import { isObject, parseJson } from '@tollgate/providers/json'

/** Requests of one turn of the event loop. */
const AT_ONCE = 100
/** Characters of what a client adds to a request, to recognise its answer. */
const MAX_MARK = 400

const refusal = (detail: string, field: string) => new AppError('request.field', { detail, field })

type Target = { readonly model: string; readonly endpoint: GeminiBatchEndpoint }

/** The lines of a batch's input, from the requests of its body. https://ai.google.dev/gemini-api/docs/batch-api */
export async function fromInlined(requests: readonly unknown[], target: Target): Promise<Buffer> {
  return await toLines(requests.length, target, (at) => {
    const path = `batch.inputConfig.requests.requests.${at}`
    const given = requests[at]
    if (!isObject(given)) throw refusal(`${path}: each request must be a JSON object`, path)
    return { path, request: fieldAt(given, 'request'), mark: fieldAt(given, 'metadata') }
  })
}

/** The same from a file of the user's: a JSON object with `key` and `request` in each line. */
export async function fromFile(bytes: Buffer, target: Target): Promise<Buffer> {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return await toLines(lines.length, target, (at) => {
    const path = `line ${at + 1}`
    const given = parseJson(lines[at] ?? '')
    if (!isObject(given)) throw refusal(`${path}: must be a JSON object with key and request`, path)
    return { path, request: fieldAt(given, 'request'), mark: fieldAt(given, 'key') }
  })
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

/** What only the vendor's model could refuse becomes the answer to its line. */
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
