import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { ModelEvent } from '../chat/events.ts'
import type { Content } from '../chat/content.ts'
import type { ChatRequest, Message, Part } from '../chat/request.ts'
import { countAt, parseJson, type JsonObject } from '../json.ts'
import type { Warnings } from '../warnings.ts'
import { markOverflow } from '../chat/formats/overflow.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'

/** The parts of formats that carry little besides text, which several vendors have. */

/** The text of a message; what else it holds gives a warning unless `kept` says otherwise. */
export function textOf(parts: readonly Part[], warnings: Warnings, kept: ReadonlySet<Part['kind']> = new Set()): string {
  const texts: string[] = []
  for (const part of parts) {
    if ('cache' in part && part.cache !== undefined) warnings.add('cache marks')
    if (part.kind === 'text' || part.kind === 'refusal') texts.push(part.text)
    else if (part.kind === 'tool-result') texts.push(textOf(part.content, warnings))
    else if (!kept.has(part.kind)) warnings.add(part.kind === 'thinking' ? 'thinking of earlier turns' : part.kind)
  }
  return texts.join('\n')
}

/** For vendors that read images at an address: inline ones would have to be uploaded first. */
export function carriesLinkedImages({ place, wants }: Content): boolean {
  return wants.kind === 'image' && place === 'user' && wants.source.kind === 'url'
}

/** The images of a message that have an address. */
export function linkedImages(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.kind === 'image' && part.source.kind === 'url' ? [part.source.url] : []))
}

/** Parts of messages that `textOf` keeps where images are sent beside the text. */
export const WITH_IMAGES: ReadonlySet<Part['kind']> = new Set(['image'] as const)

type Turn = { readonly role: string; readonly content: string }

/** Turns of the same speaker become one, for vendors that refuse them otherwise. */
export function alternating(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    if (last?.role === turn.role) joined[joined.length - 1] = { role: last.role, content: `${last.content}\n${turn.content}` }
    else joined.push(turn)
  }
  return joined
}

const HEADINGS = { system: 'SYSTEM', developer: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT' } as const

/** A single question as it is; a conversation with the speakers as headings, for vendors that take one text. */
export function asOneText(messages: readonly Message[], warnings: Warnings, kept?: ReadonlySet<Part['kind']>): string {
  const [only] = messages
  if (messages.length === 1 && only?.role === 'user') return textOf(only.parts, warnings, kept)
  return messages.map(({ role, parts }) => `${HEADINGS[role]}: \n${textOf(parts, warnings, kept)}`).join('\n')
}

const FIELDS = [
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'top_logprobs',
  'thinking',
  'verbosity',
  'modalities',
  'metadata',
  'service_tier',
] as const

/** Adds a warning for every field that the request sets and the vendor's format does not have. */
export function noteUncarried(request: ChatRequest, carried: readonly string[], warnings: Warnings): void {
  for (const field of FIELDS) if (request[field] !== undefined && !carried.includes(field)) warnings.add(field)
  if (request.tools.length > 0 && !carried.includes('tools')) warnings.add('tools')
  if (request.stop.length > 0 && !carried.includes('stop')) warnings.add('stop')
  if ((request.n ?? 1) > 1) warnings.add('n')
  if (request.format !== undefined && request.format.kind !== 'text' && !carried.includes('format')) warnings.add('response_format')
  for (const field of Object.keys(request.vendorSpecific?.fields ?? {})) warnings.add(field)
}

/** Usage that states the sums of both sides. */
export function usageEvent(raw: JsonObject, [input, output]: readonly [string, string]): ModelEvent[] {
  const [prompt_tokens, completion_tokens] = [countAt(raw, input), countAt(raw, output)]
  if (prompt_tokens === 0 && completion_tokens === 0) return []
  const usage: Usage = {
    ...ZERO_USAGE,
    text_in: prompt_tokens,
    text_out: completion_tokens,
    prompt_tokens,
    completion_tokens,
    source: 'upstream',
  }
  return [{ kind: 'usage', usage, raw }]
}

type FlatError = { readonly code: string; readonly message: string; readonly statuses: Readonly<Record<string, number>> }

/** An error object without envelope, whose code is the vendor's own: `{"code": …, "message": …}` under the given names. */
export function decodeFlatError(status: number, body: unknown, { code, message, statuses }: FlatError): UpstreamFailure {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const stated: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, code) : undefined
  const text: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, message) : undefined
  if ((typeof stated !== 'string' && typeof stated !== 'number') || typeof text !== 'string') return decodeUpstreamError(status, body)
  const own = statuses[String(stated)]
  const real = own ?? (status >= 200 && status < 300 ? 502 : status)
  return markOverflow({
    kind: real === 429 ? 'limited' : 'refused',
    status: real,
    type: real === 402 ? 'insufficient_quota' : 'upstream_error',
    code: String(stated),
    message: text,
  })
}
