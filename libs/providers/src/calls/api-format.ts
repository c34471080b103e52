/** The formats of vendor calls: chat formats, then the others. */
export const API_FORMATS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'baidu-chat',
  'bedrock-converse',
  'coze-chat',
  'dify-chat',
  'replicate-chat',
  'tencent-chat',
  'xunfei-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-moderations',
  'openai-images',
  'openai-image-edits',
  'openai-image-edits-json',
  'replicate-images',
  'ali-images',
  'ali-image-tasks',
  'cloudflare-images',
  'gemini-predict',
  'openai-speech',
  'openai-transcriptions',
  'openai-translations',
  'cloudflare-transcriptions',
  'cloudflare-translations',
  'openai-realtime',
  'gemini-live',
  'gemini-caches',
  'rerank',
  'gemini-embeddings',
  'vertex-embeddings',
  'cohere-embeddings',
  'gemini-embed-content',
  'gemini-token-count',
  'anthropic-token-count',
  'bedrock-token-count',
  'openai-token-count',
  'openai-compaction',
  'midjourney',
  'suno',
  'video',
] as const
export type ApiFormat = (typeof API_FORMATS)[number]

/** The formats that an OpenAI-compatible service is assumed to support. */
export const OPENAI_COMPATIBLE_FORMATS: readonly ApiFormat[] = [
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

/** Facts on which the address and headers of a call depend. */
export type CallFacts = {
  readonly format: ApiFormat
  /** The upstream's name of the model. */
  readonly model: string
  readonly is_stream: boolean
  /** The channel's `other` field. */
  readonly other: string
  /** The channel's key in plain text, from which Vertex and Bedrock derive addresses. Never log it. */
  readonly key: string
  /** Option `gemini.version_settings` for the model. */
  readonly gemini_version: string
  /** The client's query string with its `?`, or empty. */
  readonly query: string
}
