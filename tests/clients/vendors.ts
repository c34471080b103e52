/**
 * Channel types by the vendor's format; OpenAI gets the client's format if that is one of its two. `slug` is in model names, `upstream` is
 * the model that the vendor is asked for: what a request may contain depends on it.
 */
export const VENDORS = [
  { name: 'OpenAI', slug: 'openai', type: 1, upstream: 'gpt-5', format: undefined },
  { name: 'Chat Completions only', slug: 'chat', type: 43, upstream: 'deepseek-chat', format: 'chat' },
  { name: 'Anthropic', slug: 'anthropic', type: 14, upstream: 'claude-sonnet-4-5', format: 'messages' },
  { name: 'Gemini', slug: 'gemini', type: 24, upstream: 'gemini-2.5-flash', format: 'gemini' },
] as const
