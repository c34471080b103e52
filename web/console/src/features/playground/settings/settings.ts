/** Values of the left panel. */
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
  /** JSON text: the list of tools of a call. */
  readonly tools: string
  /** JSON text: the schema that the answer must have. */
  readonly schema: string
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
  tools: '',
  schema: '',
})

/** Stored settings over the defaults; values of another type are dropped. */
export function readSettings(stored: Readonly<Record<string, unknown>> | undefined, defaults: PlaygroundSettings): PlaygroundSettings {
  const kept = Object.entries(stored ?? {}).filter(([name, value]) => typeof value === typeof Reflect.get(defaults, name))
  return { ...defaults, ...Object.fromEntries(kept) }
}

/** Settings that differ from the defaults: a default text follows the language. */
export function ownSettings(settings: PlaygroundSettings, defaults: PlaygroundSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== Reflect.get(defaults, name)))
}

/** 0 for everything that is no whole number above 0. */
export function countOf(text: string): number {
  const count = Number(text.trim())
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}
