/** The formats a vendor's call may have: the conversations, and the calls that are no conversation. */
export const API_FORMATS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'openai-completions',
  'openai-embeddings',
  'openai-moderations',
  'openai-images',
  'openai-image-edits',
  'openai-speech',
  'openai-transcriptions',
  'openai-translations',
  'openai-realtime',
  'rerank',
  'gemini-embeddings',
  'gemini-embed-content',
  'gemini-token-count',
  'anthropic-token-count',
] as const
export type ApiFormat = (typeof API_FORMATS)[number]

/** What an OpenAI-compatible service is expected to answer under OpenAI's paths. */
export const OPENAI_LIKE: readonly ApiFormat[] = [
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-moderations',
  'openai-images',
  'openai-image-edits',
  'openai-speech',
  'openai-transcriptions',
  'openai-translations',
  'rerank',
]

/** What one call is, as far as its address and headers depend on it. */
export type CallFacts = {
  readonly format: ApiFormat
  /** The upstream's name of the model. */
  readonly model: string
  readonly is_stream: boolean
  /** The channel's `other` field. */
  readonly other: string
  /** The channel's key in clear: addresses of Vertex and Bedrock are made of it. Never part of what is logged. */
  readonly key: string
  /** Option `gemini.version_settings` for the model. */
  readonly gemini_version: string
  /** Query of the client's address with its `?`, or empty. */
  readonly query: string
}
