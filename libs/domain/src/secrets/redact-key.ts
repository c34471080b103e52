/** Shorter keys are dummies such as `ollama`, which also occur in ordinary texts. */
const MIN_KEY = 8
/** A part of a key is recognised by this many characters in a row. */
const RUN = 8
/** Longer texts are cut; no client needs more of an error. */
const MAX_TEXT = 8192
const MAX_DEPTH = 8
const MASK = '***'

/** Fields of a service account that hold no secret. */
const PUBLIC_FIELDS = /(?:^type|^project_id|^universe_domain|ur[il])$/
const REGION = /^[a-z]{2,10}(?:-[a-z]{2,12}){1,3}-?\d{1,2}$/

/**
 * Removes a channel's key from a text of its vendor: the key itself, any eight characters of it in a row, also in base64 or
 * percent-encoded, and the first or last characters beside an ellipsis (`sk-ab…wxyz`). Tokens that were derived from the key go too.
 */
export function redactKey(text: string, key: string): string {
  const short = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  const masked = maskTokens(short)
  const parts = secretPartsOf(key)
  if (parts.length === 0) return masked
  const whole = masked.includes(key) ? masked.replaceAll(key, MASK) : masked
  return maskEnds(maskRuns(whole, isSent(key) ? spellingsOf(parts) : parts.join('\n')), parts)
}

/** The same for every string inside a value of JSON. */
export function redactKeyIn(value: unknown, key: string, depth = 0): unknown {
  if (typeof value === 'string') return redactKey(value, key)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((item) => redactKeyIn(item, key, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactKeyIn(item, key, depth + 1)]))
}

/** The secrets in a channel's key, which may be `id|secret`, `region|ak|sk` or the JSON of a service account. */
export function secretPartsOf(key: string): string[] {
  const values = fieldsOf(key) ?? key.split(/[|\s]+/)
  return values.filter((part) => part.length >= MIN_KEY && !(values.length > 1 && REGION.test(part)))
}

function fieldsOf(key: string): string[] | undefined {
  if (!key.trimStart().startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(key)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    const secrets = Object.entries(parsed).filter(([name, value]) => typeof value === 'string' && !PUBLIC_FIELDS.test(name))
    // The lines of a PEM block may be joined by escapes in an echo.
    return secrets.flatMap(([, value]) => String(value).split(/\s*\n\s*/)).filter((line) => !line.startsWith('-----'))
  } catch {
    // Not JSON: the text itself is the secret.
    return undefined
  }
}

/** Access tokens of Google, and credentials with their scheme. */
function maskTokens(text: string): string {
  return text.replaceAll(/\bya29\.[\w.-]{6,}/g, `ya29.${MASK}`).replaceAll(/\b(Bearer|Basic) +(?=[^ ]*[\d=])[\w.~+/=-]{8,}/gi, `$1 ${MASK}`)
}

/** A service account signs for a token and never leaves the gateway, so no vendor can encode it. */
function isSent(key: string): boolean {
  return !key.trimStart().startsWith('{')
}

/** Everything that an echo of the parts may look like, joined by line feeds. */
function spellingsOf(parts: readonly string[]): string {
  const encoded = parts.flatMap((part) => [part, ...base64Of(part), encodeURIComponent(part.toWellFormed())])
  return [...new Set(encoded)].join('\n')
}

/** A part inside a longer text begins at one of three positions of a base64 group. */
function base64Of(part: string): string[] {
  const bytes = new TextEncoder().encode(part)
  return [0, 1, 2].flatMap((offset) => {
    const padded = String.fromCharCode(...Array.from({ length: offset }, () => 0), ...bytes)
    const text = btoa(padded).slice(offset === 0 ? 0 : offset + 1, -3)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function maskRuns(text: string, spellings: string): string {
  let out = ''
  let from = 0
  for (let at = 0; at + RUN <= text.length;) {
    const run = text.slice(at, at + RUN)
    if (!isCharacteristic(run) || !spellings.includes(run)) {
      at += 1
      continue
    }
    let end = at + RUN
    while (end < text.length && text[end] !== '\n' && spellings.includes(text.slice(end - RUN + 1, end + 1))) end += 1
    out += text.slice(from, at) + MASK
    from = end
    at = end
  }
  return from === 0 ? text : out + text.slice(from)
}

/** Lower-case words also occur in ordinary texts, and prefixes such as `sk-proj-` are public. */
function isCharacteristic(run: string): boolean {
  return /[A-Z\d]/.test(run) && !/\s/.test(run)
}

/** The first or last characters of a key, which vendors show beside asterisks or dots. */
function maskEnds(text: string, parts: readonly string[]): string {
  if (!/\*\*|\.\.\.|…|•/.test(text)) return text
  return text.replaceAll(/[\w.-]{0,16}(?:\*{2,}|\.{3,}|…|•{2,})[\w-]{0,16}/g, (shown) => {
    const [head = '', tail = ''] = shown.split(/(?:\*{2,}|\.{3,}|…|•{2,})/)
    const isShown = parts.some((part) => (head.length > 2 && part.startsWith(head)) || (tail.length > 2 && part.endsWith(tail)))
    return isShown ? MASK : shown
  })
}
