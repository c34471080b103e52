import type { ChatFormat } from '../chat/request.ts'
import type { CaseName } from './cases.ts'

/** A warning that a case gives between two formats, and the feature that the target lacks. */
export type Warning = {
  readonly case: CaseName
  readonly client: readonly ChatFormat[]
  readonly vendor: readonly ChatFormat[]
  /** As it appears in the log's details. */
  readonly warnings: string
  readonly why: string
}

const OPENAI = ['openai-chat', 'openai-responses'] as const
const NO_PROOF = 'Chat Completions has no field for the signature of a thought'
const NO_FLAG = 'OpenAI’s results of tools have no flag for errors; the text says it'

const OWN_SAMPLING = 'OpenAI’s models with reasoning choose the temperature and have no stop sequences'
/** The cases whose request states a temperature. */
const WITH_TEMPERATURE = ['plain', 'refusal', 'error before stream', 'error inside stream', 'empty answer'] as const

/** All warnings of the suite. A cell must give exactly the warnings listed here. */
export const WARNINGS: readonly Warning[] = [
  {
    case: 'thinking',
    client: ['openai-chat'],
    vendor: ['openai-responses', 'anthropic-messages', 'gemini'],
    warnings: 'reasoning-signature',
    why: NO_PROOF,
  },
  {
    case: 'thinking',
    client: ['anthropic-messages', 'gemini'],
    vendor: OPENAI,
    warnings: 'thinking budget: sent as effort medium',
    why: 'OpenAI takes an effort, not a number of tokens',
  },
  { case: 'tool result', client: ['anthropic-messages', 'gemini'], vendor: OPENAI, warnings: 'tool result: is_error', why: NO_FLAG },
  ...WITH_TEMPERATURE.flatMap((name): Warning[] => [
    {
      case: name,
      client: ['openai-responses', 'anthropic-messages', 'gemini'],
      vendor: ['openai-chat'],
      warnings: 'temperature',
      why: OWN_SAMPLING,
    },
    {
      case: name,
      client: ['openai-chat', 'anthropic-messages', 'gemini'],
      vendor: ['openai-responses'],
      warnings: 'temperature',
      why: OWN_SAMPLING,
    },
  ]),
  { case: 'stop reasons', client: ['anthropic-messages', 'gemini'], vendor: ['openai-chat'], warnings: 'stop', why: OWN_SAMPLING },
  {
    case: 'stop reasons',
    client: ['openai-chat', 'anthropic-messages', 'gemini'],
    vendor: ['openai-responses'],
    warnings: 'stop',
    why: 'Responses has no stop sequences',
  },
  {
    case: 'stop reasons',
    client: [...OPENAI, 'gemini'],
    vendor: ['anthropic-messages'],
    warnings: 'stop_sequence',
    why: 'only Messages tells its clients which sequence stopped the answer',
  },
  {
    case: 'refusal',
    client: ['gemini'],
    vendor: [...OPENAI, 'anthropic-messages'],
    warnings: 'refusal',
    why: 'Gemini has no part for a refusal: it is sent as text',
  },
  {
    case: 'cache usage',
    client: [...OPENAI, 'anthropic-messages'],
    vendor: ['gemini'],
    warnings: 'cache_control',
    why: 'Gemini has no marks in a prompt: it caches by itself, or by name',
  },
]

export function warningsOf(name: CaseName, client: ChatFormat, vendor: ChatFormat): readonly Warning[] {
  return WARNINGS.filter((entry) => entry.case === name && entry.client.includes(client) && entry.vendor.includes(vendor))
}
