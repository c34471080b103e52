import { isJsonObjectOrEmpty, readJson } from '../../../ui/form/json-text.ts'

/** A channel's settings, of which the JSON text is the only place where they are kept; what is no object counts as empty. */
export function objectOf(setting: string): Record<string, unknown> {
  if (setting.trim() === '' || !isJsonObjectOrEmpty(setting)) return {}
  const reading = readJson(setting)
  return reading.kind === 'value' ? { ...Object(reading.value) } : {}
}

export function textOf(setting: object): string {
  return Object.keys(setting).length === 0 ? '' : JSON.stringify(setting, null, 2)
}
