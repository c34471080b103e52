import { isObject, listAt, textAt, type JsonObject } from '../json.ts'

/**
 * Words by which vendors name what they charge more or less for. A field with one that the gateway does not know may change the vendor's
 * bill without changing the usage that is charged here.
 */
const PRICE_WORD = /(?:^|[_-])(?:tier|priority|speed|fast|geo|region|residency|billing|premium|surcharge|fallbacks?)(?:$|[_-])/

/** Fields with such a word whose price is known, or that have none. */
const KNOWN: ReadonlySet<string> = new Set(['service_tier', 'speed', 'inference_geo', 'fallbacks'])

/**
 * Tools that their vendors charge for by session or by call, and that the usage does not count.
 * https://developers.openai.com/api/docs/pricing (code_interpreter, shell) ·
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool#usage-and-pricing ·
 * https://ai.google.dev/gemini-api/docs/pricing (googleMaps, fileSearch) · read 2026-11-27
 */
const METERED_TOOL = /^(?:code_interpreter|shell|code_execution_\d+)$/
const METERED_MEMBER = ['googleMaps', 'google_maps', 'fileSearch', 'file_search'] as const

/** Fields of a body for which its vendor may charge and the gateway does not: named in the warnings of the request. */
export function unpricedIn(body: JsonObject): readonly string[] {
  const fields = Object.keys(body).filter((name) => isPriceField(name) && hasValue(body[name]))
  const tools = listAt(body, 'tools').flatMap(meteredTool)
  return fields.length + tools.length === 0 ? NONE : [...new Set([...fields, ...tools])].map((name) => `unpriced.${name}`)
}

const NONE: readonly string[] = []

function isPriceField(name: string): boolean {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return PRICE_WORD.test(words) && !KNOWN.has(words)
}

const hasValue = (value: unknown): boolean => value !== null && value !== undefined && value !== false && value !== ''

function meteredTool(tool: unknown): string[] {
  const type = textAt(tool, 'type') ?? ''
  // A shell that the client runs has no container of the vendor.
  if (type === 'shell' && textAt(isObject(tool) ? tool['environment'] : undefined, 'type') === 'local') return []
  if (METERED_TOOL.test(type)) return [`tools.${type}`]
  return METERED_MEMBER.filter((name) => isObject(tool) && isObject(tool[name])).map((name) => `tools.${name}`)
}
