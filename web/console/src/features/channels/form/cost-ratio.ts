import { objectOf, textOf } from './setting-text.ts'

/** The cost ratio in the channel's settings, as typed. */
export function costRatioOf(setting: string): string {
  const stored = objectOf(setting)['cost_ratio']
  return typeof stored === 'number' || typeof stored === 'string' ? String(stored) : ''
}

/** The settings with another cost ratio; an unfinished number is kept as text until it is one. */
export function withCostRatio(setting: string, text: string): string {
  const { cost_ratio: _, ...rest } = objectOf(setting)
  const typed = text.replaceAll(/[^\d.]/g, '').slice(0, 12)
  if (typed === '') return textOf(rest)
  const number = Number(typed)
  return textOf({ ...rest, cost_ratio: String(number) === typed ? number : typed })
}

/** The cost ratios of single models, as typed: `gpt-4o=0.5, o3=0.9`. */
export function modelRatiosOf(setting: string): string {
  const stored = objectOf(setting)['cost_ratios']
  if (typeof stored !== 'object' || stored === null) return ''
  return Object.entries(stored)
    .map(([model, ratio]) => `${model}=${String(ratio)}`)
    .join(', ')
}

/** The settings with other cost ratios of single models; undefined: the text cannot be read. */
export function withModelRatios(setting: string, text: string): string | undefined {
  const { cost_ratios: _, ...rest } = objectOf(setting)
  const parts = text.split(/[,，\n]/).flatMap((part) => (part.trim() === '' ? [] : [/^\s*(.+?)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(part)]))
  if (parts.includes(null)) return undefined
  const ratios = Object.fromEntries(parts.map((found) => [found?.[1] ?? '', Number(found?.[2])]))
  return textOf(parts.length === 0 ? rest : { ...rest, cost_ratios: ratios })
}
