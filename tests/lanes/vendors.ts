/** Channel types by the format in which their vendor is spoken to; OpenAI is spoken to in the client's own where that is one of its two. */
export const VENDORS = [
  { name: 'OpenAI', type: 1, dialect: undefined },
  { name: 'Chat Completions only', type: 43, dialect: 'chat' },
  { name: 'Anthropic', type: 14, dialect: 'messages' },
  { name: 'Gemini', type: 24, dialect: 'gemini' },
] as const
