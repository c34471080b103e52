/** The three client formats as SDKs send them. */
export type FormatName = 'openai' | 'anthropic' | 'gemini'

export type Format = {
  path(model: string, isStream: boolean): string
  headers(key: string): Record<string, string>
  body(model: string, prompt: string, isStream: boolean): object
  /** Paths for k6's `json()` to the text and the usage of a whole response. */
  readonly text: string
  readonly usage: string
  /** Text contained only in a complete stream, and only in one with usage. */
  readonly end: string
  readonly usageEvent: string
}

/** At least the simulator's output, so that the hold covers the charge. */
const MAX_TOKENS = 256

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  openai: {
    path: () => '/v1/chat/completions',
    headers: (key) => ({ Authorization: `Bearer ${key}` }),
    body: (model, content, isStream) => ({
      model,
      max_tokens: MAX_TOKENS,
      messages: [{ role: 'user', content }],
      ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
    }),
    text: 'choices.0.message.content',
    usage: 'usage.total_tokens',
    end: 'data: [DONE]',
    usageEvent: '"total_tokens"',
  },
  anthropic: {
    path: () => '/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: (model, content, isStream) => ({
      model,
      max_tokens: MAX_TOKENS,
      messages: [{ role: 'user', content }],
      ...(isStream ? { stream: true } : {}),
    }),
    text: 'content.0.text',
    usage: 'usage.output_tokens',
    end: 'event: message_stop',
    usageEvent: '"output_tokens"',
  },
  gemini: {
    path: (model, isStream) => `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: (key) => ({ 'x-goog-api-key': key }),
    body: (_, text) => ({ contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: MAX_TOKENS } }),
    text: 'candidates.0.content.parts.0.text',
    usage: 'usageMetadata.totalTokenCount',
    end: '"finishReason"',
    usageEvent: '"totalTokenCount"',
  },
}
