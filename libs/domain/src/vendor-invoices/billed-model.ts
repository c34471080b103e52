const DATE = /[-@]\d{4}-?\d{2}-?\d{2}$/
/** Dates of a month and a day, as older names have them: gpt-4-0613. */
const SHORT_DATE = /-\d{4}$/
const PATHS = /^(?:.*\/)?(?:publishers\/[^/]+\/)?models\//
const GEMINI = /gemini[ -](\d+(?:\.\d+)?)[ -](pro|flash|ultra|nano)((?:[ -](?:lite|image|tts|live))*)/

/**
 * The name by which a vendor's model and the one that was called are compared: without path, date and `-latest`. Vendors bill the
 * dated version that answered.
 */
export function billedModel(name: string): string {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(PATHS, '')
    .replace(/-latest$/, '')
  return plain.replace(DATE, '').replace(SHORT_DATE, '')
}

/** The model in the text of an item: `gpt-4o-2024-08-06, cached input`, `Gemini 2.5 Flash Lite GA Text Input`; else the text itself. */
export function modelOfItem(item: string): string {
  const lower = item.trim().toLowerCase()
  const gemini = GEMINI.exec(lower)
  if (gemini !== null) return `gemini-${gemini[1]}-${gemini[2]}${(gemini[3] ?? '').replaceAll(' ', '-')}`
  const [first = ''] = lower.split(/,| \| /)
  return /^[\w.:/@-]+$/.test(first) ? billedModel(first) : item.trim()
}

/** The kind of tokens that the text of an item counts; undefined: none. */
export function tokensOfItem(item: string): 'input' | 'cached' | 'output' | undefined {
  const lower = item.toLowerCase()
  if (/cach/.test(lower)) return /storage/.test(lower) ? undefined : 'cached'
  if (/output|response|thinking|reasoning/.test(lower)) return 'output'
  return /input|prompt/.test(lower) ? 'input' : undefined
}
