/** The client formats whose calls can be previewed. Without zod, for the console. */
export const PREVIEW_FORMATS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const
export type PreviewFormat = (typeof PREVIEW_FORMATS)[number]
