/** The client formats whose calls can be previewed. Without zod, for the console. */
export const PREVIEWED_CALLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const
export type PreviewedCallFormat = (typeof PREVIEWED_CALLS)[number]
