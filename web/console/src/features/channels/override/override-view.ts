import type { PreviewFormat } from '@tollgate/contracts/channels/preview-formats'

const QUESTION = '1 + 1 = ?'

const SAMPLES: Readonly<Record<PreviewFormat, object>> = {
  'openai-chat': { messages: [{ role: 'user', content: QUESTION }], temperature: 1, stream: false },
  'openai-responses': { input: QUESTION, temperature: 1, stream: false },
  'anthropic-messages': { max_tokens: 100, messages: [{ role: 'user', content: QUESTION }], temperature: 1 },
  gemini: { contents: [{ role: 'user', parts: [{ text: QUESTION }] }], generationConfig: { temperature: 1 } },
}

/** A short request in a client format, as JSON text. */
export const sampleOf = (format: PreviewFormat): string => JSON.stringify(SAMPLES[format], null, 2)

export type MarkedLine = { readonly key: string; readonly text: string; readonly change?: 'added' | 'removed' }
export type Marked = { readonly lines: readonly MarkedLine[] }

/** The lines of both texts in one list: common ones once, a removed line before the added one in its place. */
export function markChanges(before: string, after: string): Marked {
  const old = before.split('\n')
  const now = after.split('\n')
  const common = commonLengths(old, now)
  const lines: MarkedLine[] = []
  let at = 0
  let next = 0
  const lengthAt = (left: number, right: number): number => common[left]?.[right] ?? 0
  while (at < old.length || next < now.length) {
    const key = `${at}-${next}`
    if (at < old.length && next < now.length && old[at] === now[next]) {
      lines.push({ key, text: now[next] ?? '' })
      at += 1
      next += 1
    } else if (at < old.length && (next === now.length || lengthAt(at + 1, next) >= lengthAt(at, next + 1))) {
      lines.push({ key, text: old[at] ?? '', change: 'removed' })
      at += 1
    } else {
      lines.push({ key, text: now[next] ?? '', change: 'added' })
      next += 1
    }
  }
  return { lines }
}

/** Longer texts are compared line by line in their order only at their beginning. */
const MAX_LINES = 1000

/** The length of the longest common subsequence of what follows each pair of lines. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  if (old.length > MAX_LINES || now.length > MAX_LINES) return []
  const rows: number[][] = Array.from({ length: old.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0))
  for (let left = old.length - 1; left >= 0; left -= 1) {
    for (let right = now.length - 1; right >= 0; right -= 1) {
      const row = rows[left] ?? []
      const below = rows[left + 1] ?? []
      row[right] = old[left] === now[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0)
    }
  }
  return rows
}
