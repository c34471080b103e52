/** The kinds of client calls that routing can be forecast for. Without zod, for the console. */
export const ROUTED_CALLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'openai-completions',
  'openai-embeddings',
  'gemini-embeddings',
  'openai-images',
  'openai-image-edits',
  'openai-image-edits-json',
  'openai-speech',
  'openai-transcriptions',
  'openai-moderations',
  'rerank',
] as const
export type RoutedCall = (typeof ROUTED_CALLS)[number]
