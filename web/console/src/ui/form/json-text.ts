/** The faults of a JSON text; each has a text. */
export type JsonFault =
  | 'bracket'
  | 'colon'
  | 'comma'
  | 'comment'
  | 'extra'
  | 'key'
  | 'open-text'
  | 'quotes'
  | 'trailing-comma'
  | 'unfinished'
  | 'value'
export type JsonProblem = { readonly line: number; readonly column: number; readonly fault: JsonFault }
export type JsonReading = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'problem'; readonly problem: JsonProblem }

/** Reads JSON text and says where it is wrong. Browsers word their errors differently, and in English: our own scan finds the fault. */
export function readJson(text: string): JsonReading {
  try {
    return { kind: 'value', value: JSON.parse(text) }
  } catch {
    const { offset, fault } = findFault(text)
    return { kind: 'problem', problem: { ...placeAt(text, offset), fault } }
  }
}

/** The text as an object, or undefined when it holds anything else. Empty text is an empty object. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  const reading = readJson(text)
  return reading.kind === 'value' && isRecord(reading.value) ? reading.value : undefined
}

/** The text as a map of numbers, likewise. */
export function readNumbers(text: string): Readonly<Record<string, number>> | undefined {
  const map = readObject(text)
  // A map of numbers by the check.
  return map !== undefined && Object.values(map).every((value) => typeof value === 'number') ? (map as Record<string, number>) : undefined
}

export type Pair = readonly [string, string]

/** The text as a map of text to text, or undefined when it holds anything else. Empty text is an empty map. */
export function readPairs(text: string): readonly Pair[] | undefined {
  if (text.trim() === '') return []
  const reading = readJson(text)
  if (reading.kind === 'problem' || !isRecord(reading.value)) return undefined
  const pairs: [string, string][] = []
  for (const [key, value] of Object.entries(reading.value)) {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    pairs.push([key, String(value)])
  }
  return pairs
}

/** True if the text is a map whose values are numbers, all of them. */
export function holdsNumbers(text: string): boolean {
  const reading = readJson(text)
  if (reading.kind === 'problem' || !isRecord(reading.value)) return false
  const values = Object.values(reading.value)
  return values.length > 0 && values.every((value) => typeof value === 'number')
}

/** The JSON of a list of pairs; rows without a key are left out, no row at all is empty text. */
export function writePairs(pairs: readonly Pair[], isNumeric = false): string {
  const named = pairs.filter(([key]) => key.trim() !== '')
  const toValue = (text: string): string | number =>
    isNumeric && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  return named.length === 0 ? '' : JSON.stringify(Object.fromEntries(named.map(([key, value]) => [key, toValue(value)])), null, 2)
}

/** Two-space indentation; text that is no JSON stays as it is. */
export function formatJson(text: string): string {
  const reading = readJson(text)
  return reading.kind === 'value' ? JSON.stringify(reading.value, null, 2) : text
}

/** True if a text is empty or a JSON object. */
export function isJsonObjectOrEmpty(text: string): boolean {
  if (text.trim() === '') return true
  const reading = readJson(text)
  return reading.kind === 'value' && isRecord(reading.value)
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

const TOKEN =
  /\s*(?:"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/uy

/** The first token that no JSON document can have at its place. */
function findFault(text: string): { readonly offset: number; readonly fault: JsonFault } {
  const scanner = new JsonScanner()
  let offset = 0
  let before = ''
  while (offset < text.length) {
    TOKEN.lastIndex = offset
    const found = TOKEN.exec(text)
    const start = offset + (/^\s*/.exec(text.slice(offset, offset + 10_000))?.[0].length ?? 0)
    if (start >= text.length) break
    const token = found?.[0].trim()
    if (token === undefined || !scanner.accept(token))
      return { offset: start, fault: faultOf(text.slice(start, start + 2), before, scanner.expected()) }
    before = token
    offset = TOKEN.lastIndex
  }
  return { offset: text.trimEnd().length, fault: 'unfinished' }
}

function faultOf(found: string, before: string, expected: Expected): JsonFault {
  const [first = ''] = found
  if (found === '//' || found === '/*') return 'comment'
  if (first === '"' && !/comma|colon|nothing/.test(expected)) return 'open-text'
  if (first === "'" || /^[‘’“”`]/.test(first)) return 'quotes'
  if (before === ',' && /[}\]]/.test(first)) return 'trailing-comma'
  if (expected === 'nothing') return 'extra'
  if (/[}\]]/.test(first)) return expected === 'colon' ? 'colon' : expected === 'value' ? 'value' : 'bracket'
  if (expected === 'comma-or-end') return 'comma'
  if (expected === 'colon') return 'colon'
  return expected === 'key' || expected === 'key-or-end' ? 'key' : 'value'
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

/** The grammar of JSON as far as it is needed to find the first wrong token. */
class JsonScanner {
  readonly #open: ('{' | '[')[] = []
  #expected: Expected = 'value'

  expected(): Expected {
    return this.#expected
  }

  accept(token: string): boolean {
    const expected = this.#expected
    if (token === '{' || token === '[') return this.#value(() => this.#enter(token))
    if (token === '}' || token === ']') return this.#leave(token, expected)
    if (token === ',') return expected === 'comma-or-end' && this.#next(this.#open.at(-1) === '{' ? 'key' : 'value')
    if (token === ':') return expected === 'colon' && this.#next('value')
    if (token.startsWith('"') && (expected === 'key' || expected === 'key-or-end')) return this.#next('colon')
    return this.#value(() => this.#close())
  }

  #value(then: () => boolean): boolean {
    return (this.#expected === 'value' || this.#expected === 'value-or-end') && then()
  }

  #enter(token: '{' | '['): boolean {
    this.#open.push(token)
    return this.#next(token === '{' ? 'key-or-end' : 'value-or-end')
  }

  #leave(token: '}' | ']', expected: Expected): boolean {
    const isRight = this.#open.at(-1) === (token === '}' ? '{' : '[')
    const isDue = expected === 'comma-or-end' || expected === (token === '}' ? 'key-or-end' : 'value-or-end')
    if (!isRight || !isDue) return false
    this.#open.pop()
    return this.#close()
  }

  #close(): boolean {
    return this.#next(this.#open.length === 0 ? 'nothing' : 'comma-or-end')
  }

  #next(expected: Expected): boolean {
    this.#expected = expected
    return true
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
