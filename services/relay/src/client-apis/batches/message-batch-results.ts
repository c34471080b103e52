import { isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '@tollgate/providers/json'

const LINE_END = 0x0a

/** The results of a Message Batch, a line each, from the lines of its output and error files. */
export async function* toResults(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(LINE_END); end !== -1; end = piece.indexOf(LINE_END, from)) {
      yield toResult(Buffer.concat([...held, piece.subarray(from, end)]).toString('utf8'))
      held = []
      from = end + 1
    }
    if (from < piece.length) held.push(piece.subarray(from))
  }
}

/** https://platform.claude.com/docs/en/api/messages/batches/results */
function toResult(line: string): string {
  const written = parseJsonObject(line)
  return `${JSON.stringify({ custom_id: textAt(written, 'custom_id') ?? '', result: resultOf(written) })}\n`
}

const NEVER_SENT: Readonly<Record<string, string>> = { batch_cancelled: 'canceled', batch_expired: 'expired' }

function resultOf(written: JsonObject | undefined): JsonObject {
  const { status_code, body } = objectAt(written, 'response')
  if (status_code === 200 && isObject(body)) return { type: 'succeeded', message: body }
  if (isObject(body) && isObject(body['error'])) return { type: 'errored', error: { request_id: null, ...body, type: 'error' } }
  const { code, message } = objectAt(written, 'error')
  const never = NEVER_SENT[String(code)]
  if (never !== undefined) return { type: never }
  const error = { type: 'api_error', message: typeof message === 'string' ? message : 'the request has no answer' }
  return { type: 'errored', error: { type: 'error', error, request_id: null } }
}
