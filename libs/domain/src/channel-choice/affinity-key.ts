import { hashText } from './rendezvous.ts'

export type AffinityFacts = {
  readonly user_id: number
  readonly body: Readonly<Record<string, unknown>>
  /** The prompt's texts, in the order of the body. */
  readonly texts: readonly string[]
  readonly prompt_tokens: number
  /** The conversation's name by a rule of the operator; absent: the fields that clients use for it count. */
  readonly name?: string | undefined
  /** The session that an agent names in a header. */
  readonly session?: string | undefined
}

/** Shortest prompt, in tokens, that vendors cache: https://platform.openai.com/docs/guides/prompt-caching#requirements */
const CACHED_FROM = 1024

/**
 * A number that all requests of one conversation share, so that they reach the channel that has their prompt cached. It is derived
 * from the name by a rule, else from what the client names (`prompt_cache_key`, a session in a header, Anthropic's `metadata.user_id`, `user`), else from the
 * system text and the first message. Undefined if none is present or the prompt is too short to be cached.
 */
export function affinityKeyOf({ user_id, body, texts, prompt_tokens, name, session }: AffinityFacts): number | undefined {
  const named = name ?? namedBy(body, session)
  if (named !== undefined) return hashText(named, hashText(String(user_id)))
  const [first, second] = texts
  if (first === undefined || prompt_tokens < CACHED_FROM) return undefined
  const hash = hashText(first, hashText(String(user_id)))
  return second === undefined || !hasSystemText(body) ? hash : hashText(second, hash)
}

/** Headers of OpenCode 1.18 (both) and Codex 0.171 that name the conversation in all requests of a session. */
export const SESSION_HEADERS = ['x-session-affinity', 'x-session-id', 'session-id'] as const

/** The session that an agent names in a header; undefined: none. */
export function sessionIn(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  return SESSION_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== '')
}

function namedBy(body: AffinityFacts['body'], session: string | undefined): string | undefined {
  return [body['prompt_cache_key'], session, fieldOf(body['metadata'], 'user_id'), body['user']].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
}

const SYSTEM_FIELDS = ['system', 'instructions', 'systemInstruction', 'system_instruction']
const SYSTEM_ROLES = new Set<unknown>(['system', 'developer'])

/** True if the first text is a system prompt, which many conversations share. */
function hasSystemText(body: AffinityFacts['body']): boolean {
  if (SYSTEM_FIELDS.some((field) => body[field] !== undefined)) return true
  const list = [body['messages'], body['input']].find((value) => Array.isArray(value))
  return SYSTEM_ROLES.has(fieldOf(Array.isArray(list) ? list[0] : undefined, 'role'))
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
}
