export type Picture = { readonly source: string; readonly prompt: string }

/** The pictures of an answer: their bytes or where they are. */
export function picturesOf(answer: unknown): readonly Picture[] {
  const data = field(answer, 'data')
  if (!Array.isArray(data)) return []
  return data.flatMap((one: unknown) => {
    const bytes = textOf(field(one, 'b64_json'))
    const source = bytes === '' ? textOf(field(one, 'url')) : `data:${typeOf(bytes)};base64,${bytes}`
    return /^(?:https?:|data:image\/)/.test(source) ? [{ source, prompt: textOf(field(one, 'revised_prompt')) }] : []
  })
}

/** Media type by the first bytes of the common formats in base64. */
function typeOf(bytes: string): string {
  if (bytes.startsWith('/9j/')) return 'image/jpeg'
  return bytes.startsWith('UklGR') ? 'image/webp' : 'image/png'
}

/** The text of a transcription: of a JSON answer its `text`, else the answer itself. */
export function transcriptOf(answer: string): string {
  try {
    const parsed: unknown = JSON.parse(answer)
    return textOf(field(parsed, 'text'))
  } catch {
    // Not JSON: some vendors answer with the text itself.
    return answer.trim()
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
