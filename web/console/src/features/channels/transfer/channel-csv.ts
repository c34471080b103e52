import type { ChannelFile, FileChannel } from '@tollgate/contracts/resources/channel-files'
import { readTextTable } from '@tollgate/domain/text-table'
import { csvOf } from '../../../ui/list/csv.ts'

const TEXTS = [
  'base_url',
  'models',
  'group',
  'tag',
  'test_model',
  'openai_organization',
  'other',
  'model_mapping',
  'status_code_mapping',
  'param_override',
  'setting',
] as const
const NUMBERS = ['type', 'status', 'priority', 'weight', 'auto_ban', 'max_input_tokens'] as const
/** The columns of a table of channels; `key` is read, never written. */
export const CSV_COLUMNS = ['name', ...NUMBERS, ...TEXTS] as const
const READ_COLUMNS: ReadonlySet<string> = new Set([...CSV_COLUMNS, 'key'])
const numeric: ReadonlySet<string> = new Set(NUMBERS)

export function toCsv({ channels }: ChannelFile): string {
  const columns = CSV_COLUMNS.map((name) => ({ id: name, header: name, cell: () => null, text: (channel: FileChannel) => channel[name] }))
  return csvOf(columns, channels)
}

/** A table of channels as the text of a file to import; undefined: its first line is no header of channels. */
export function fromCsv(text: string): string | undefined {
  const [header, ...lines] = readTextTable(text).rows
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  if (!names.includes('name') || !names.includes('type')) return undefined
  const channels = lines.map(({ cells }) => Object.fromEntries(names.flatMap((name, at) => entryOf(name, cells[at] ?? ''))))
  return JSON.stringify({ format: 'tollgate-channels', version: 1, exported_at: 0, channels })
}

function entryOf(name: string, cell: string): [string, string | number][] {
  if (!READ_COLUMNS.has(name)) return []
  // Spreadsheets keep the apostrophe that an export puts before a formula.
  const value = /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
  if (!numeric.has(name)) return [[name, value]]
  return value.trim() === '' ? [] : [[name, Number(value)]]
}
