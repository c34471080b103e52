import { setImmediate as nextTurn } from 'node:timers/promises'
import { isGeminiBatch, MAX_BATCH_LINES, MAX_LINE_BYTES, type BatchFault } from '@tollgate/contracts/deferred/deferred'

export type BatchLine = { readonly custom_id: string; readonly body: string }
export type ReadLines =
  | { readonly kind: 'lines'; readonly lines: readonly BatchLine[] }
  | { readonly kind: 'faults'; readonly faults: readonly BatchFault[] }

const MAX_FAULTS = 20
/** Lines of one turn of the event loop, which posts charges meanwhile. */
const AT_ONCE = 500
const MAX_CUSTOM_ID = 512

type Batch = { readonly endpoint: string }

/** The requests of an input file (JSON, one to a line), or what is wrong with it: everything is checked before anything is sent. */
export async function readLines(text: string, { endpoint }: Batch): Promise<ReadLines> {
  const lines: BatchLine[] = []
  const faults: BatchFault[] = []
  const known = new Set<string>()
  for (const [at, given] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn()
    if (given.trim() === '') continue
    const read = readLine(given, { endpoint, known })
    if ('custom_id' in read) lines.push(read)
    else faults.push({ ...read, line: at + 1 })
    if (faults.length >= MAX_FAULTS) break
    if (lines.length > MAX_BATCH_LINES) return toFault('too_many_tasks', `a batch has at most ${MAX_BATCH_LINES} lines`)
  }
  if (faults.length > 0) return { kind: 'faults', faults }
  return lines.length === 0 ? toFault('empty_file', 'the input file has no lines') : { kind: 'lines', lines }
}

const toFault = (code: string, message: string): ReadLines => ({ kind: 'faults', faults: [{ code, message, line: null, param: null }] })

type Fault = Omit<BatchFault, 'line'>

function readLine(given: string, { endpoint, known }: Batch & { readonly known: Set<string> }): BatchLine | Fault {
  const refuse = (code: string, message: string, param: string | null = null): Fault => ({ code, message, param })
  if (Buffer.byteLength(given) > MAX_LINE_BYTES) return refuse('line_too_large', `a line has at most ${MAX_LINE_BYTES} bytes`)
  const line = parse(given)
  if (line === undefined) return refuse('invalid_json_line', 'the line is not a JSON object')
  const { custom_id, method, url, body } = line
  if (typeof custom_id !== 'string' || custom_id === '' || custom_id.length > MAX_CUSTOM_ID)
    return refuse('missing_required_parameter', `custom_id must be a text of 1 to ${MAX_CUSTOM_ID} characters`, 'custom_id')
  if (known.has(custom_id)) return refuse('duplicate_custom_id', 'custom_id is used by an earlier line', 'custom_id')
  known.add(custom_id)
  if (method !== 'POST') return refuse('invalid_method', 'method must be POST', 'method')
  if (url !== endpoint) return refuse('mismatched_endpoint', `url must be the batch's endpoint, ${endpoint}`, 'url')
  if (!isObject(body)) return refuse('invalid_request', 'body must be an object', 'body')
  // Google's path names it.
  if (!isGeminiBatch(endpoint) && (typeof body['model'] !== 'string' || body['model'] === ''))
    return refuse('missing_required_parameter', 'body.model is required', 'model')
  if (body['stream'] === true) return refuse('streaming_unsupported', 'a line cannot be streamed', 'stream')
  if (body['background'] === true) return refuse('background_unsupported', 'a line cannot run in the background', 'background')
  return { custom_id, body: JSON.stringify(body) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    // The caller reports the line.
    return undefined
  }
}
