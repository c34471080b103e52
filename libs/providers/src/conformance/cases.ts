import type { ChatFormat } from '../chat/request.ts'

/** The chat formats; each pair of client and vendor is a row of the matrix. */
export const CHAT_FORMATS: readonly ChatFormat[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']

/** Fixture names of a request and of the vendor's answers. */
export type Case = {
  readonly request: string
  /** Answers that exist both whole and as a stream. */
  readonly answers: readonly string[]
  /** Error answers, by status. */
  readonly errors?: readonly number[]
  /** Streams that fail or break off. */
  readonly broken?: readonly string[]
}

export const CASES = {
  plain: { request: 'plain', answers: ['plain'] },
  system: { request: 'system', answers: ['plain'] },
  'multi-turn': { request: 'multi-turn', answers: ['plain'] },
  tools: { request: 'tools', answers: ['tools'] },
  'parallel tools': { request: 'parallel-tools', answers: ['parallel-tools'] },
  'tool result': { request: 'tool-result', answers: ['plain'] },
  image: { request: 'image', answers: ['plain'] },
  thinking: { request: 'thinking', answers: ['thinking'] },
  structured: { request: 'structured', answers: ['structured'] },
  'stop reasons': { request: 'stop-reasons', answers: ['length', 'stop-sequence'] },
  refusal: { request: 'plain', answers: ['refusal', 'filtered'] },
  'cache usage': { request: 'cache-usage', answers: ['cached'] },
  'error before stream': { request: 'plain', answers: [], errors: [400, 429], broken: ['error-first'] },
  'error inside stream': { request: 'plain', answers: [], broken: ['error-inside', 'cut'] },
  'empty answer': { request: 'plain', answers: ['empty'] },
} as const satisfies Record<string, Case>

export type CaseName = keyof typeof CASES
export const CASE_NAMES = Object.keys(CASES).filter((name): name is CaseName => name in CASES)

/** The upstream model for a vendor of each format. */
export const UPSTREAM_MODEL: Readonly<Record<ChatFormat, string>> = {
  'openai-chat': 'gpt-5.6',
  'openai-responses': 'gpt-5.6',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}
