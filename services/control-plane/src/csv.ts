import { AppError } from '@tollgate/contracts/app-error'
import type { Actor } from '@tollgate/http/actor'
import type { Share } from '@tollgate/shares/budget'
import { visibleCell } from '@tollgate/telemetry/visible'
import type { Context } from 'hono'
import type { Deps } from './deps.ts'
import { inSlices } from './in-slices.ts'
import { holdWhileRead, READER_TIMEOUT_S } from './long-answer.ts'

/** An exact decimal number, which may be negative; a text that looks like one would be escaped. */
export type DecimalCell = { readonly decimal: string }
type Cell = string | number | DecimalCell

export type CsvColumn<Row> = { readonly name: string; readonly of: (row: Row) => Cell }

/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** A line of a CSV file: https://www.rfc-editor.org/rfc/rfc4180 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(cell: Cell): string {
  if (typeof cell === 'object') return cell.decimal
  const text = typeof cell === 'number' ? String(cell) : visibleCell(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export type CsvFile<Row> = {
  readonly name: string
  readonly columns: readonly CsvColumn<Row>[]
  /** Reads the next page when the client has taken the one before. */
  readonly pages: AsyncGenerator<readonly Row[]>
  /** The right to send it. */
  readonly share: Share
  /** Programs take the mark of UTF-8 for a part of the first column's name. */
  readonly readers?: 'spreadsheets' | 'programs'
}

type TextFile = {
  /** With its ending. */
  readonly name: string
  readonly type: string
  readonly opening: string
  /** Makes the next part when the client has taken the one before. */
  readonly parts: AsyncGenerator<string>
  /** The right to send it. */
  readonly share: Share
}

/** The right of a caller to one more file; throws while the own ones, or those of all, are enough. */
export function takeFileShare({ budgets }: Pick<Deps, 'budgets'>, { c, actor }: { readonly c: Context; readonly actor: Actor }): Share {
  const share = budgets.exports.tryTake({ user: actor.id })
  if (typeof share !== 'string') return share
  c.header('Retry-After', String(READER_TIMEOUT_S))
  throw new AppError('rate.exports')
}

/** A CSV file that is sent while its pages are read: memory holds one page, however long the file is. */
export function csvResponse<Row>({ name, columns, pages, share, readers = 'spreadsheets' }: CsvFile<Row>): Response {
  async function* parts(): AsyncGenerator<string> {
    const lineOf = (row: Row): string => csvLine(columns.map((column) => column.of(row)))
    for await (const rows of pages) for await (const lines of inSlices(rows, lineOf)) yield lines.join('')
  }
  const opening = (readers === 'spreadsheets' ? BYTE_ORDER_MARK : '') + csvLine(columns.map((column) => column.name))
  return textResponse({ name: `${name}.csv`, type: 'text/csv; charset=utf-8', opening, parts: parts(), share })
}

/** A file of text that is sent while it is made. */
export function textResponse({ name, type, opening, parts, share }: TextFile): Response {
  const encoder = new TextEncoder()
  let isStarted = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (!isStarted) {
          isStarted = true
          controller.enqueue(encoder.encode(opening))
          return
        }
        const { done, value } = await parts.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => void (await parts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  }
  return holdWhileRead(new Response(body, { headers }), share)
}
