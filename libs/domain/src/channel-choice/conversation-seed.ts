import { hashText } from './rendezvous.ts'

export type ConversationFacts = {
  readonly user_id: number
  readonly body: Readonly<Record<string, unknown>>
  /** What people wrote, in the order of the body. */
  readonly texts: readonly string[]
  readonly prompt_tokens: number
}

/** Vendors keep prompts from this length on: https://platform.openai.com/docs/guides/prompt-caching#requirements */
const CACHED_FROM = 1024

/**
 * A number that all requests of one conversation share, so that they can go where their prompt is cached; undefined: nothing is
 * gained by it. What the client says wins (`prompt_cache_key`, Anthropic's `metadata.user_id`, `user`); else the system text and
 * the first message tell it, where the prompt is long enough to be cached at all.
 */
export function conversationSeed({ user_id, body, texts, prompt_tokens }: ConversationFacts): number | undefined {
  const named = namedBy(body)
  if (named !== undefined) return hashText(named, hashText(String(user_id)))
  const [first, second] = texts
  if (first === undefined || prompt_tokens < CACHED_FROM) return undefined
  const seed = hashText(first, hashText(String(user_id)))
  return second === undefined || !hasSystemText(body) ? seed : hashText(second, seed)
}

function namedBy(body: ConversationFacts['body']): string | undefined {
  return [body['prompt_cache_key'], fieldOf(body['metadata'], 'user_id'), body['user']].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
}

const SYSTEM_FIELDS = ['system', 'instructions', 'systemInstruction', 'system_instruction']
const SYSTEM_ROLES = new Set<unknown>(['system', 'developer'])

/** Whether the first text is the same for many conversations, and the second one begins this one. */
function hasSystemText(body: ConversationFacts['body']): boolean {
  if (SYSTEM_FIELDS.some((field) => body[field] !== undefined)) return true
  const list = [body['messages'], body['input']].find((value) => Array.isArray(value))
  return SYSTEM_ROLES.has(fieldOf(Array.isArray(list) ? list[0] : undefined, 'role'))
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
}
