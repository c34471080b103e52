import { stringEnd } from './json-splice.ts'
import { isObject, listAt, objectAt, type JsonObject } from './json.ts'

/**
 * Parsers disagree on a repeated key: most take the last value, some the first, and Go's ignores the case of letters. What the gateway
 * reads and what the vendor reads could be two different requests, of which the cheaper one is charged.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** True if an object in this JSON text has a key twice. `value` is the parsed text. */
export function hasRepeatedKey(raw: Buffer, value: JsonObject): boolean {
  return countMembers(raw) !== countKeys(value)
}

/** A search inside a short string costs less byte by byte than as a native call. */
const SHORT = 64

/** Members of all objects of a valid JSON text. Strings are skipped without being decoded. */
function countMembers(raw: Buffer): number {
  let members = 0
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at]
    if (byte === QUOTE) at = closingQuote(raw, at)
    else if (byte === COLON) members += 1
  }
  return members
}

function closingQuote(raw: Buffer, start: number): number {
  const near = Math.min(start + SHORT, raw.length)
  let at = start + 1
  while (at < near && raw[at] !== QUOTE && raw[at] !== BACKSLASH) at += 1
  return at < near && raw[at] === QUOTE ? at : stringEnd(raw, start) - 1
}

/** Keys of all objects of a parsed value; without recursion, because bodies may be nested deeply. */
function countKeys(value: JsonObject): number {
  let keys = 0
  const open: unknown[] = [value]
  const add = (inner: unknown) => {
    if (typeof inner === 'object' && inner !== null) open.push(inner)
  }
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (Array.isArray(item)) for (const inner of item) add(inner)
    else if (isObject(item)) {
      // Lists all keys: objects from JSON inherit no enumerable ones. Object.values takes several times as long.
      for (const key in item) {
        keys += 1
        add(item[key])
      }
    }
  }
  return keys
}

/** Names of the fields that choose the model, the price, what the answer reports or whose answers a request refers to, in all formats. */
const NAMES = [
  'model',
  'models',
  'fallbacks',
  'messages',
  'input',
  'prompt',
  'contents',
  'stream',
  'stream_options',
  'include_usage',
  'n',
  'best_of',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
  'candidate_count',
  'candidateCount',
  'generation_config',
  'generationConfig',
  'thinking_config',
  'thinkingConfig',
  'thinking_budget',
  'thinkingBudget',
  'cached_content',
  'cachedContent',
  'tools',
  'max_uses',
  'max_tool_calls',
  'google_search',
  'googleSearch',
  'web_search_options',
  'search_context_size',
  'size',
  'quality',
  'reasoning',
  'reasoning_effort',
  'thinking',
  'budget_tokens',
  'background',
  'previous_response_id',
  'conversation',
  'store',
  'service_tier',
  'serviceTier',
  'speed',
  'inference_geo',
  'session',
  'response',
  'type',
] as const
const EXACT: ReadonlySet<string> = new Set(NAMES)
const FOLDED: ReadonlySet<string> = new Set(NAMES.map((name) => name.toLowerCase()))

/** Objects of a body whose fields decide the price as well. */
const CONTAINERS = [
  'stream_options',
  'generationConfig',
  'generation_config',
  'web_search_options',
  'reasoning',
  'thinking',
  'session',
] as const

/** The first key that is a known field in another case, such as `Model`. */
export function findCaseVariant(body: JsonObject): string | undefined {
  const found = variantIn(body)
  if (found !== undefined) return found
  for (const name of CONTAINERS) {
    const inner = isObject(body[name]) ? (variantIn(objectAt(body, name)) ?? variantIn(objectAt(body[name], 'thinkingConfig'))) : undefined
    if (inner !== undefined) return inner
  }
  for (const tool of listAt(body, 'tools')) {
    const inner = isObject(tool) ? variantIn(tool) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

function variantIn(object: JsonObject): string | undefined {
  for (const key in object) if (!EXACT.has(key) && key.length <= 32 && FOLDED.has(key.toLowerCase())) return key
  return undefined
}
