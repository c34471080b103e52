import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import { MAX_BATCH_LINES, MAX_LINE_BYTES, MESSAGE_BATCH_ENDPOINT } from '@tollgate/contracts/deferred/deferred'
import { findVersionFault } from '@tollgate/providers/chat/formats/anthropic-messages/version'
import { isObject, parseJson, textAt } from '@tollgate/providers/json'
import { elementsAt, topLevelMembers } from '@tollgate/providers/json-splice'

/** Requests of one turn of the event loop. */
const AT_ONCE = 100
const CUSTOM_ID = /^[\w-]{1,64}$/
const OPEN_ARRAY = 0x5b

const refusal = (detail: string, field: string) => new AppError('request.field', { detail, field })

/**
 * The lines of a Message Batch's input. Each request is parsed by itself, so that a large body does not stop other requests.
 * https://platform.claude.com/docs/en/api/messages/batches/create
 */
export async function toBatchLines(raw: Buffer, version: string): Promise<{ readonly bytes: Buffer; readonly count: number }> {
  const member = topLevelMembers(raw).members.find(({ name }) => name === 'requests')
  if (member === undefined || raw[member.start] !== OPEN_ARRAY) throw refusal('requests: field required', 'requests')
  const spans = elementsAt(raw, member.start)
  if (spans.length === 0) throw refusal('requests: a batch needs at least one request', 'requests')
  if (spans.length > MAX_BATCH_LINES) throw refusal(`requests: a batch has at most ${MAX_BATCH_LINES} requests`, 'requests')
  const lines: Buffer[] = []
  const known = new Set<string>()
  for (const [at, { start, end }] of spans.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn()
    lines.push(Buffer.from(toLine(raw.toString('utf8', start, end), { path: `requests.${at}`, version, known })))
  }
  return { bytes: Buffer.concat(lines), count: lines.length }
}

type LinePlace = { readonly path: string; readonly version: string; readonly known: Set<string> }

/** A line that only the vendor's model could refuse is accepted; the refusal becomes its result. */
function toLine(text: string, { path, version, known }: LinePlace): string {
  const request = parseJson(text)
  if (!isObject(request)) throw refusal(`${path}: each request must be a JSON object`, path)
  const { custom_id, params } = request
  if (typeof custom_id !== 'string' || !CUSTOM_ID.test(custom_id))
    throw refusal(`${path}.custom_id: must have 1 to 64 letters, digits, underscores and hyphens`, `${path}.custom_id`)
  if (known.has(custom_id)) throw refusal(`${path}.custom_id: ${custom_id} is used by an earlier request`, `${path}.custom_id`)
  known.add(custom_id)
  if (!isObject(params)) throw refusal(`${path}.params: field required`, `${path}.params`)
  if ((textAt(params, 'model') ?? '') === '') throw refusal(`${path}.params.model: field required`, `${path}.params.model`)
  if (params['stream'] === true) throw refusal(`${path}.params.stream: a request of a batch cannot be streamed`, `${path}.params.stream`)
  const fault = findVersionFault(params, version)
  if (fault !== undefined) throw refusal(`${path}.params.${fault.detail}`, `${path}.params.${fault.field}`)
  const line = `${JSON.stringify({ custom_id, method: 'POST', url: MESSAGE_BATCH_ENDPOINT, body: params })}\n`
  if (Buffer.byteLength(line) > MAX_LINE_BYTES) throw refusal(`${path}: a request has at most ${MAX_LINE_BYTES} bytes`, path)
  return line
}
