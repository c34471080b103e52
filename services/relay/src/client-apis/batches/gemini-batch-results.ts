import { isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '@tollgate/providers/json'
import { decodeMark } from './gemini-batch-input.ts'

const LINE_END = 0x0a

/** One answer of a batch, and its place among the requests. */
type Result = { readonly n: number; readonly mark: unknown; readonly outcome: JsonObject }

/** The answers in the order of their requests: both files are in that order. */
export async function* inOrder(files: readonly AsyncIterable<Buffer>[]): AsyncGenerator<Result> {
  const readers = files.map((pieces) => resultsIn(pieces))
  const heads = await Promise.all(readers.map((reader) => reader.next()))
  for (;;) {
    const open = heads.flatMap((head, at) => (head.done === true ? [] : [{ at, result: head.value }]))
    const [first] = open.toSorted((a, b) => a.result.n - b.result.n)
    const reader = first === undefined ? undefined : readers[first.at]
    if (first === undefined || reader === undefined) return
    yield first.result
    heads[first.at] = await reader.next()
  }
}

async function* resultsIn(pieces: AsyncIterable<Buffer>): AsyncGenerator<Result> {
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

function toResult(line: string): Result {
  const written = parseJsonObject(line)
  return { ...decodeMark(textAt(written, 'custom_id') ?? ''), outcome: outcomeOf(written) }
}

/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const CODES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
}
const CANCELLED = 1
const DEADLINE_EXCEEDED = 4
const INTERNAL = 13
const NEVER_SENT: Readonly<Record<string, number>> = { batch_cancelled: CANCELLED, batch_expired: DEADLINE_EXCEEDED }

function outcomeOf(written: JsonObject | undefined): JsonObject {
  const { status_code, body } = objectAt(written, 'response')
  if (status_code === 200 && isObject(body)) return { response: body }
  const refused = objectAt(body, 'error')
  if (textAt(refused, 'message') !== undefined)
    return { error: { code: CODES[textAt(refused, 'status') ?? ''] ?? INTERNAL, message: textAt(refused, 'message') } }
  const { code, message } = objectAt(written, 'error')
  return {
    error: { code: NEVER_SENT[String(code)] ?? INTERNAL, message: typeof message === 'string' ? message : 'the request has no answer' },
  }
}

/** As a batch shows those of its inlined requests. */
export const toInlined = ({ mark, outcome }: Result): JsonObject => ({ ...outcome, ...(mark === undefined ? {} : { metadata: mark }) })

/** As a line of the file that a batch with a file of requests has. */
export const toFileLine = ({ mark, outcome }: Result): string =>
  `${JSON.stringify({ ...(mark === undefined ? {} : { key: mark }), ...outcome })}\n`
