import type { DialectName } from '../conversation/request.ts'
import type { CaseName } from './cases.ts'

/** What a case loses on its way between two formats, and the feature that is missing there. */
export type Loss = {
  readonly case: CaseName
  readonly client: readonly DialectName[]
  readonly vendor: readonly DialectName[]
  /** As it stands in the log's explanation. */
  readonly loss: string
  readonly why: string
}

const OPENAI = ['openai-chat', 'openai-responses'] as const
const NO_PROOF = 'Chat Completions has no field for the signature of a thought'
const NO_FLAG = 'OpenAI’s results of tools have no flag for errors; the text says it'

/** Every loss of the suite. A cell loses exactly what is listed here: anything else, more or less, is red. */
export const LOSSES: readonly Loss[] = [
  {
    case: 'thinking',
    client: ['openai-chat'],
    vendor: ['openai-responses', 'anthropic-messages', 'gemini'],
    loss: 'reasoning-signature',
    why: NO_PROOF,
  },
  {
    case: 'thinking',
    client: ['anthropic-messages'],
    vendor: ['openai-responses', 'gemini'],
    loss: 'reasoning_signature',
    why: 'clients of Messages send a signature back to Anthropic, which refuses another vendor’s',
  },
  {
    case: 'thinking',
    client: ['anthropic-messages', 'gemini'],
    vendor: OPENAI,
    loss: 'thinking budget: sent as effort medium',
    why: 'OpenAI takes an effort, not a number of tokens',
  },
  { case: 'tool result', client: ['anthropic-messages', 'gemini'], vendor: OPENAI, loss: 'tool result: is_error', why: NO_FLAG },
  {
    case: 'stop reasons',
    client: ['openai-chat', 'anthropic-messages', 'gemini'],
    vendor: ['openai-responses'],
    loss: 'stop',
    why: 'Responses has no stop sequences',
  },
  {
    case: 'stop reasons',
    client: [...OPENAI, 'gemini'],
    vendor: ['anthropic-messages'],
    loss: 'stop_sequence',
    why: 'only Messages tells its clients which sequence stopped the answer',
  },
  {
    case: 'refusal',
    client: ['gemini'],
    vendor: [...OPENAI, 'anthropic-messages'],
    loss: 'refusal',
    why: 'Gemini has no part for a refusal: it is told as text',
  },
  {
    case: 'cache usage',
    client: [...OPENAI, 'anthropic-messages'],
    vendor: ['gemini'],
    loss: 'cache_control',
    why: 'Gemini has no marks in a prompt: it caches by itself, or by name',
  },
]

export function lossesOf(name: CaseName, client: DialectName, vendor: DialectName): readonly Loss[] {
  return LOSSES.filter((entry) => entry.case === name && entry.client.includes(client) && entry.vendor.includes(vendor))
}
