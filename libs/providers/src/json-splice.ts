import { parseJson } from './json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const isOpen = (byte: number): boolean => byte === 0x7b || byte === 0x5b
const isClose = (byte: number): boolean => byte === 0x7d || byte === 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const END_OF_ARRAY = 0x5d
const OPEN_OF_OBJECT = 0x7b

export type Member = { readonly name: string; readonly start: number; readonly end: number }

/**
 * The top-level members of a JSON object with the byte range of each value. The text must be valid JSON. Strings are skipped without
 * being decoded, so large bodies are cheap.
 */
export function topLevelMembers(raw: Buffer): { readonly open: number; readonly members: readonly Member[] } {
  const open = raw.indexOf(0x7b)
  const members: Member[] = []
  let at = skipSpace(raw, open + 1)
  while (raw[at] === QUOTE) {
    const keyEnd = stringEnd(raw, at)
    const key = raw.toString('utf8', at + 1, keyEnd - 1)
    const start = skipSpace(raw, skipSpace(raw, keyEnd) + 1)
    const end = valueEnd(raw, start)
    members.push({ name: key.includes('\\') ? unescape(key) : key, start, end })
    at = skipSpace(raw, end)
    if (raw[at] === COMMA) at = skipSpace(raw, at + 1)
  }
  return { open, members }
}

export type Span = { readonly start: number; readonly end: number }

/** The byte range of each element of the JSON array at `start`. */
export function elementsAt(raw: Buffer, start: number): readonly Span[] {
  const spans: Span[] = []
  let at = skipSpace(raw, start + 1)
  while (at < raw.length && raw[at] !== END_OF_ARRAY) {
    const end = valueEnd(raw, at)
    spans.push({ start: at, end })
    at = skipSpace(raw, end)
    if (raw[at] === COMMA) at = skipSpace(raw, at + 1)
  }
  return spans
}

/**
 * The range of the text at a path of members, quotes included, of the object at `open`; undefined if there is none. Stops where it is
 * found, so the rest may be missing.
 */
export function textSpanAt(raw: Buffer, open: number, [name, ...rest]: readonly string[]): Span | undefined {
  let at = skipSpace(raw, open + 1)
  while (raw[at] === QUOTE) {
    const keyEnd = stringEnd(raw, at)
    const start = skipSpace(raw, skipSpace(raw, keyEnd) + 1)
    if (raw.toString('utf8', at + 1, keyEnd - 1) === name) {
      if (rest.length > 0) return raw[start] === OPEN_OF_OBJECT ? textSpanAt(raw, start, rest) : undefined
      if (raw[start] !== QUOTE) return undefined
      const end = stringEnd(raw, start)
      return end > start + 1 && raw[end - 1] === QUOTE ? { start, end } : undefined
    }
    at = skipSpace(raw, valueEnd(raw, start))
    if (raw[at] === COMMA) at = skipSpace(raw, at + 1)
  }
  return undefined
}

/** Says where a value ends that it has looked through itself; undefined: it has not. */
type OnMember = (name: string, start: number) => number | undefined

/** Walks through the members of the object at `open` in order, and returns where it ends. No part of the object is read twice. */
export function walkMembers(raw: Buffer, open: number, onMember: OnMember): number {
  let at = skipSpace(raw, open + 1)
  while (raw[at] === QUOTE) {
    const keyEnd = stringEnd(raw, at)
    const key = raw.toString('utf8', at + 1, keyEnd - 1)
    const start = skipSpace(raw, skipSpace(raw, keyEnd) + 1)
    at = skipSpace(raw, onMember(key.includes('\\') ? unescape(key) : key, start) ?? valueEnd(raw, start))
    if (raw[at] === COMMA) at = skipSpace(raw, at + 1)
  }
  return at + 1
}

/** The text at `start`, if there is one of at most so many bytes. */
export function textAtStart(raw: Buffer, start: number, max: number): string | undefined {
  const end = raw[start] === QUOTE ? stringEnd(raw, start) : start
  const value = end - start < 2 || end - start > max ? undefined : parseJson(raw.toString('utf8', start, end))
  return typeof value === 'string' ? value : undefined
}

export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** Replaces the given byte ranges. */
export function splice(raw: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return raw
  const parts: Buffer[] = []
  let from = 0
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    parts.push(raw.subarray(from, start), Buffer.from(text))
    from = end
  }
  parts.push(raw.subarray(from))
  return Buffer.concat(parts)
}

/** The object without one of its top-level members; every other byte stays. */
export function withoutMember(raw: Buffer, name: string): Buffer {
  const { open, members } = topLevelMembers(raw)
  const edits = members.flatMap((member, at): Edit[] => {
    if (member.name !== name) return []
    const before = members[at - 1]
    if (before !== undefined) return [{ start: before.end, end: member.end, text: '' }]
    const next = skipSpace(raw, member.end)
    return [{ start: open + 1, end: raw[next] === COMMA ? next + 1 : member.end, text: '' }]
  })
  return splice(raw, edits)
}

function unescape(key: string): string {
  const value: unknown = JSON.parse(`"${key}"`)
  return String(value)
}

function skipSpace(raw: Buffer, from: number): number {
  let at = from
  while (raw[at] === 0x20 || raw[at] === 0x0a || raw[at] === 0x0d || raw[at] === 0x09) at += 1
  return at
}

/** The index after the closing quote of the string at `start`, or the length of `raw`. */
export function stringEnd(raw: Buffer, start: number): number {
  let quote = start
  for (;;) {
    quote = raw.indexOf(QUOTE, quote + 1)
    if (quote === -1) return raw.length
    let slash = quote - 1
    while (raw[slash] === BACKSLASH) slash -= 1
    if ((quote - 1 - slash) % 2 === 0) return quote + 1
  }
}

function valueEnd(raw: Buffer, start: number): number {
  const first = raw[start]
  if (first === QUOTE) return stringEnd(raw, start)
  if (first === undefined || !isOpen(first)) return scalarEnd(raw, start)
  let depth = 0
  for (let at = start; at < raw.length; at += 1) {
    const byte = raw[at] ?? 0
    if (byte === QUOTE) at = stringEnd(raw, at) - 1
    else if (isOpen(byte)) depth += 1
    else if (isClose(byte)) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return raw.length
}

function scalarEnd(raw: Buffer, start: number): number {
  let at = start
  while (at < raw.length && raw[at] !== COMMA && raw[at] !== COLON && !isClose(raw[at] ?? 0) && (raw[at] ?? 0) > 0x20) at += 1
  return at
}
