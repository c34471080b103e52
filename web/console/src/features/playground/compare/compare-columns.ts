import type { PlaygroundSettings } from '../settings/settings.ts'

/** One of the models that are compared. */
export type CompareColumn = { readonly id: number; readonly model: string; readonly channel: string }

export const MAX_COLUMNS = 4

/** The columns that were kept in this browser. */
export function readColumns(stored: unknown): readonly CompareColumn[] | undefined {
  const kept = Array.isArray(stored) ? stored.filter(isColumn).slice(0, MAX_COLUMNS) : []
  return kept.length === 0 ? undefined : kept.map(({ model, channel }, id) => ({ id, model, channel }))
}

/** The chosen model beside another one. */
export const firstColumns = (chosen: string, models: readonly string[]): readonly CompareColumn[] =>
  withColumn([{ id: 0, model: chosen, channel: '' }], models)

function isColumn(value: unknown): value is CompareColumn {
  if (typeof value !== 'object' || value === null) return false
  const { model, channel } = value as Partial<Record<string, unknown>> // an object of unknown fields
  return typeof model === 'string' && typeof channel === 'string'
}

/** One more, of a model that is not compared yet. */
export function withColumn(columns: readonly CompareColumn[], models: readonly string[]): readonly CompareColumn[] {
  const used = new Set(columns.map(({ model }) => model))
  const model = models.find((one) => !used.has(one)) ?? columns.at(-1)?.model ?? ''
  return [...columns, { id: Math.max(-1, ...columns.map(({ id }) => id)) + 1, model, channel: '' }]
}

/** Name of a column: its model, and its channel where one is pinned. */
export const nameOf = ({ model, channel }: CompareColumn): string => (channel.trim() === '' ? model : `${model} #${channel.trim()}`)

export const settingsOf = (settings: PlaygroundSettings, { model, channel }: CompareColumn): PlaygroundSettings => ({
  ...settings,
  model,
  channel,
})
