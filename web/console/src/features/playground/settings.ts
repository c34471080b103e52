/** What the left panel holds. */
export type PlaygroundSettings = {
  readonly group: string
  readonly model: string
  /** 0 until the slider is moved. */
  readonly temperature: number
  readonly maxTokens: string
  readonly system: string
  readonly isReconnecting: boolean
  /** The id of the channel to ask; empty: the gateway chooses. Administrators only. */
  readonly channel: string
}

export const DEFAULT_MODEL = 'gpt-4o-mini'
export const TEMPERATURE = { min: 0.1, max: 1, step: 0.1 } as const

export const defaultSettings = (system: string): PlaygroundSettings => ({
  group: '',
  model: DEFAULT_MODEL,
  temperature: 0,
  maxTokens: '0',
  system,
  isReconnecting: false,
  channel: '',
})

/** Stored settings over the defaults; values of another type are dropped. */
export function readSettings(stored: Readonly<Record<string, unknown>> | undefined, defaults: PlaygroundSettings): PlaygroundSettings {
  const kept = Object.entries(stored ?? {}).filter(([name, value]) => typeof value === typeof Reflect.get(defaults, name))
  return { ...defaults, ...Object.fromEntries(kept) }
}

/** 0 for everything that is no whole number above 0. */
export function countOf(text: string): number {
  const count = Number(text.trim())
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}
