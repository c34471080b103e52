import { objectOf, textOf } from './setting-text.ts'

/** The region in the channel's settings, as typed. */
export function regionOf(setting: string): string {
  const stored = objectOf(setting)['region']
  return typeof stored === 'string' ? stored : ''
}

/** The settings with another region; an empty one is removed. */
export function withRegion(setting: string, text: string): string {
  const { region: _, ...rest } = objectOf(setting)
  return textOf(text === '' ? rest : { ...rest, region: text.slice(0, 40) })
}
