import type { RecordNote } from '@tollgate/contracts/moving-in/records'
import type { Row } from '../stores/store.ts'

const MAX_TEXT = 1_000_000

/**
 * Reads the fields of one row of an unknown past: a value of another type, beyond its range or in another encoding is changed to the
 * nearest that can be stored, and noted. An absent column gives the default without a note.
 */
export class Cells {
  readonly notes: RecordNote[] = []
  readonly #row: Row

  constructor(row: Row) {
    this.#row = row
  }

  note(code: string, detail: string): void {
    this.notes.push({ code, detail })
  }

  has(column: string): boolean {
    const value = this.#row[column]
    return value !== undefined && value !== null
  }

  /** Text in UTF-8 without NUL and without halves of surrogate pairs. */
  text(column: string, fallback = ''): string {
    const value = this.#row[column]
    if (value === undefined || value === null) return fallback
    const text = value instanceof Uint8Array ? this.#decode(column, value) : typeof value === 'string' ? value : textOf(value)
    // A driver has put a replacement character where bytes are no UTF-8.
    if (typeof value === 'string' && text.includes('\uFFFD')) this.note('encoding', column)
    const clean = text.replaceAll('\0', '').toWellFormed()
    if (clean !== text) this.note('encoding', column)
    if (clean.length <= MAX_TEXT) return clean
    this.note('cut', column)
    return clean.slice(0, MAX_TEXT).toWellFormed()
  }

  #decode(column: string, bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      // Bytes that are no UTF-8 become replacement characters.
      this.note('encoding', column)
      return new TextDecoder('utf-8').decode(bytes)
    }
  }

  /** A whole number; one that is none, or beyond what is held exactly, becomes the fallback. */
  int(column: string, fallback = 0, { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}): number {
    const value = this.#row[column]
    if (value === undefined || value === null || value === '') return fallback
    const number = numberOf(value)
    if (!Number.isFinite(number)) {
      this.note('not-a-number', `${column} ${textOf(value).slice(0, 40)}`)
      return fallback
    }
    const whole = Math.trunc(number)
    if (whole >= min && whole <= max) return whole === 0 ? 0 : whole
    this.note('out-of-range', `${column} ${textOf(value).slice(0, 40)}`)
    return Math.min(Math.max(whole, min), max)
  }

  number(column: string, fallback = 0): number {
    const number = numberOf(this.#row[column] ?? fallback)
    return Number.isFinite(number) ? number : fallback
  }

  flag(column: string): boolean {
    const value = this.#row[column]
    if (typeof value === 'boolean') return value
    if (value instanceof Uint8Array) return value.some((byte) => byte !== 0 && byte !== 48)
    if (typeof value === 'string') return /^(?:t|true|y|yes|on|[1-9]\d*)$/i.test(value.trim())
    return value !== undefined && value !== null && Number(value) !== 0
  }

  /** A JSON object; empty text, `null` and other JSON give undefined, and text that is no JSON a note. */
  object(column: string): Record<string, unknown> | undefined {
    const parsed = this.json(column)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  }

  json(column: string): unknown {
    const value = this.#row[column]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'object' && !(value instanceof Uint8Array) && !(value instanceof Date)) return value
    const text = this.text(column).trim()
    if (text === '' || text === 'null') return undefined
    try {
      return JSON.parse(text)
    } catch {
      this.note('not-json', column)
      return undefined
    }
  }

  /** True if a soft deletion was recorded; a zero date is none. */
  isSet(column: string): boolean {
    const text = this.text(column)
    return text !== '' && text !== '0' && !text.startsWith('0000-00-00')
  }
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : typeof value === 'string' ? value : ''
  return /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  return JSON.stringify(value) ?? ''
}
