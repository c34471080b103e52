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
