import { randomBytes } from 'node:crypto'
import { FILE_LIFETIME_S, FILE_PIECE, type DeferredOutcome } from '@tollgate/contracts/deferred/deferred'
import type { Db, Tx } from '@tollgate/db/connect'
import { countLines, takeEndedBatch, updateBatch, type BatchRow } from '@tollgate/db/queries/deferred/batches'
import { listLines, removeLines } from '@tollgate/db/queries/deferred/deferred-requests'
import { appendFilePiece, createFile, finishFile } from '@tollgate/db/queries/deferred/files'
import { growStored } from '@tollgate/db/queries/deferred/stored-bytes'
import { addUsage, NO_USAGE } from './batch-usage.ts'

const AT_ONCE = 200

/** Writes the files of one batch whose lines have ended, and deletes the lines, in one transaction; false: there is none. */
export function closeBatch(db: Db, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const batch = await takeEndedBatch(tx)
    if (batch === undefined) return false
    const [output, errors] = [new FileWriter(tx, batch, 'output', now), new FileWriter(tx, batch, 'error', now)]
    const outcomes = new Set<DeferredOutcome>()
    let usage = NO_USAGE
    for (let after = 0; ;) {
      const lines = await listLines(tx, { batch_id: batch.id, after, limit: AT_ONCE })
      for (const line of lines) {
        outcomes.add(line.outcome)
        usage = addUsage(usage, line.answer)
        await (line.outcome === 'answered' && line.status === 200 ? output : errors).write(renderLine(line))
      }
      after = lines.at(-1)?.seq ?? after
      if (lines.length < AT_ONCE) break
    }
    const counts = await countLines(tx, batch.id)
    const files = { output_file_id: await output.end(), error_file_id: await errors.end() }
    await removeLines(tx, batch.id)
    await updateBatch(
      tx,
      { id: batch.id, from: ['in_progress', 'cancelling'] },
      { ...counts, ...files, ...usage, ...endOf(batch, outcomes, now), finalizing_at: now },
    )
    await growStored(tx, output.bytes + errors.bytes)
    return true
  })
}

function endOf({ status }: BatchRow, outcomes: ReadonlySet<DeferredOutcome>, now: number) {
  if (status === 'cancelling') return { status: 'cancelled', cancelled_at: now } as const
  return outcomes.has('expired') ? ({ status: 'expired', expired_at: now } as const) : ({ status: 'completed', completed_at: now } as const)
}

type Line = Awaited<ReturnType<typeof listLines>>[number]

const ERRORS = {
  '': ['internal_error', 'the request has no answer'],
  answered: ['internal_error', 'the request has no answer'],
  cancelled: ['batch_cancelled', 'the batch was cancelled before this request was sent'],
  expired: ['batch_expired', 'the request was not sent before the batch expired'],
  interrupted: ['request_interrupted', 'the answer was lost; the request is not sent again, because it may have been charged'],
} as const satisfies Record<DeferredOutcome, readonly [string, string]>

/** A line of the output or error file, https://platform.openai.com/docs/api-reference/batch/request-output */
function renderLine({ id, custom_id, outcome, status, request_id, answer }: Line): string {
  const head = JSON.stringify({ id, custom_id }).slice(0, -1)
  if (outcome !== 'answered') {
    const [code, message] = ERRORS[outcome]
    return `${head},"response":null,"error":${JSON.stringify({ code, message })}}\n`
  }
  const response = JSON.stringify({ status_code: status, request_id }).slice(0, -1)
  return `${head},"response":${response},"body":${toOneLine(answer)}},"error":null}\n`
}

/** The answer as it is; one that is not JSON becomes a text. */
function toOneLine(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer))
  } catch {
    // A body that is not JSON.
    return JSON.stringify(answer)
  }
}

/** Writes a file piece by piece; without a line there is no file. */
class FileWriter {
  readonly #tx: Tx
  readonly #id = `file-${randomBytes(16).toString('hex')}`
  readonly #file: Omit<Parameters<typeof createFile>[1], 'id' | 'bytes'>
  #waiting: Buffer[] = []
  #size = 0
  #bytes = 0
  #pieces = 0

  get bytes(): number {
    return this.#bytes
  }

  constructor(tx: Tx, { id, user_id, token_id }: BatchRow, kind: 'output' | 'error', now: number) {
    this.#tx = tx
    const times = { created_at: now, expires_at: now + FILE_LIFETIME_S }
    this.#file = { user_id, token_id, filename: `${id}_${kind}.jsonl`, purpose: 'batch_output', ...times }
  }

  async write(line: string): Promise<void> {
    if (this.#bytes === 0) await createFile(this.#tx, { ...this.#file, id: this.#id, bytes: 0 })
    const bytes = Buffer.from(line)
    this.#waiting.push(bytes)
    this.#size += bytes.length
    this.#bytes += bytes.length
    if (this.#size >= FILE_PIECE) await this.#flush(false)
  }

  /** The file's id; empty: nothing was written. */
  async end(): Promise<string> {
    if (this.#bytes === 0) return ''
    await this.#flush(true)
    await finishFile(this.#tx, { id: this.#id, user_id: this.#file.user_id, bytes: this.#bytes })
    return this.#id
  }

  async #flush(isLast: boolean): Promise<void> {
    let left = Buffer.concat(this.#waiting)
    while (left.length >= FILE_PIECE || (isLast && left.length > 0)) {
      await appendFilePiece(this.#tx, { file_id: this.#id, n: this.#pieces, content: left.subarray(0, FILE_PIECE) })
      this.#pieces += 1
      left = left.subarray(FILE_PIECE)
    }
    this.#waiting = left.length === 0 ? [] : [left]
    this.#size = left.length
  }
}
