/** Channel types by the vendor's format; OpenAI gets the client's format if that is one of its two. */
export const VENDORS = [
  { name: 'OpenAI', type: 1, format: undefined },
  { name: 'Chat Completions only', type: 43, format: 'chat' },
  { name: 'Anthropic', type: 14, format: 'messages' },
  { name: 'Gemini', type: 24, format: 'gemini' },
] as const
