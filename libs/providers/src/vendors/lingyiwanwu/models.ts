/** Preset list of the console and of `/api/models`. */
export const models = [
  'yi-large',
  'yi-medium',
  'yi-vision',
  'yi-medium-200k',
  'yi-spark',
  'yi-large-rag',
  'yi-large-turbo',
  'yi-large-preview',
  'yi-large-rag-preview',
] as const satisfies readonly string[]
