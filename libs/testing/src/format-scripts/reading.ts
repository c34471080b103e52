export type Fields = Record<string, unknown>

export function listAt(value: unknown, key: string): Fields[] {
  const found = fieldAt(value, key)
  return Array.isArray(found) ? found.filter((one): one is Fields => typeof one === 'object' && one !== null) : []
}

export function fieldAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? (value as Fields)[key] : undefined // an object with this key
}

export function textAt(value: unknown, key: string): string {
  const found = fieldAt(value, key)
  return typeof found === 'string' ? found : ''
}

/** The text of a content, which is a string or a list of parts. */
export function textsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => textAt(part, 'text')).join(' ') : ''
}

/** Splits a text into three pieces, as a stream sends it. */
export function pieces(text: string): string[] {
  const third = Math.ceil(text.length / 3)
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter((piece) => piece !== '')
}

export const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
export const named = (value: { readonly type: string; readonly [field: string]: unknown }): string => `event: ${value.type}\n${data(value)}`
