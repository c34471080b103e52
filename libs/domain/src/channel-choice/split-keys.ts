/** How a channel with several keys selects one. Without the setting, the whole text is one key. */
export const MULTI_KEY_MODES = ['random', 'polling'] as const
export type MultiKeyMode = (typeof MULTI_KEY_MODES)[number]

export function multiKeyModeOf(setting: Readonly<Record<string, unknown>>): MultiKeyMode | undefined {
  return MULTI_KEY_MODES.find((mode) => mode === setting['multi_key_mode'])
}

/**
 * The keys of a channel's key text: the members of a JSON array, or one per line. A key that is itself a JSON object (a service
 * account) is kept whole, also over several lines. Duplicates are removed.
 */
export function splitKeys(text: string): string[] {
  const trimmed = text.trim()
  const array = parseArray(trimmed)
  const keys = array ?? (trimmed.startsWith('{') ? splitObjects(trimmed) : trimmed.split('\n').map((line) => line.trim()))
  return [...new Set(keys.filter((key) => key !== ''))]
}

function parseArray(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (!Array.isArray(parsed)) return undefined
    return parsed.map((key: unknown) => (typeof key === 'string' ? key.trim() : JSON.stringify(key)))
  } catch {
    // Not JSON: lines that begin with a bracket are keys.
    return undefined
  }
}

/** Splits concatenated JSON objects at their outermost closing braces, ignoring braces inside strings. */
function splitObjects(text: string): string[] {
  const objects: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1
    if (token === '{' && depth === 1) start = index
    if (token === '}') depth -= 1
    if (token === '}' && depth === 0) objects.push(text.slice(start, index + 1))
  }
  return depth === 0 ? objects : [text]
}

/** All keys of a channel: several if `multi_key_mode` is set, otherwise the whole text. */
export function keysIn(text: string, setting: Readonly<Record<string, unknown>>): string[] {
  return multiKeyModeOf(setting) === undefined ? [text] : splitKeys(text)
}
