import { argumentsText } from '../../call-arguments.ts'
import { joinCallProofs } from '../../proof.ts'
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../request.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { argumentsOfCall, calledBy, resultItemOf, textOfResult } from './client-tools.ts'
import { ADDITIONAL, flatNameOf, type DeclaredTool } from './declared-tools.ts'
import { decodeContent, decodeOutput } from './decode-parts.ts'
import { reasoningPart } from './encrypted-reasoning.ts'

/**
 * Decodes input items to messages: consecutive model items (reasoning, text, calls) become one `assistant` message, consecutive tool
 * results one `user` message. Instructions become the first, system message.
 */
export function decodeItems(body: JsonObject, tools: readonly DeclaredTool[]): Message[] {
  const { input } = body
  const instructions = textAt(body, 'instructions')
  const groups: Group[] =
    instructions === undefined ? [] : [{ role: 'system', parts: [{ kind: 'text', text: instructions }], isOpen: false }]
  if (typeof input === 'string') groups.push({ role: 'user', parts: decodeContent(input), isOpen: false })
  for (const item of Array.isArray(input) ? input.filter(isObject) : []) addItem(groups, item, tools)
  return groups.map(({ role, parts }) => ({ role, parts: joinCallProofs(parts) }))
}

type Group = { readonly role: Message['role']; readonly parts: Part[]; readonly isOpen: boolean }

function addItem(groups: Group[], item: JsonObject, tools: readonly DeclaredTool[]): void {
  const type = textAt(item, 'type') ?? 'message'
  if (type === ADDITIONAL) return
  const role = type === 'message' ? roleOf(item) : type.endsWith('_output') ? 'user' : 'assistant'
  const isMessage = type === 'message'
  const parts = isMessage ? decodeMessage(item) : decodeOther(type, item, tools)
  if (parts.length === 0 && !isMessage) return
  // User messages stay separate; every other item joins the message before it.
  const isOpen = role === 'assistant' || !isMessage
  const last = groups.at(-1)
  const hasText = last?.parts.at(-1)?.kind === 'text'
  if (isOpen && last?.isOpen === true && last.role === role && !(isMessage && hasText)) last.parts.push(...parts)
  else groups.push({ role, parts, isOpen })
}

const ROLES = ['system', 'developer', 'user', 'assistant'] as const

function roleOf(item: JsonObject): Message['role'] {
  return ROLES.find((known) => known === item['role']) ?? 'user'
}

/** `phase` separates commentary from the answer and is sent back to OpenAI unchanged; item ids are dropped, because nothing is stored. */
function decodeMessage(item: JsonObject): Part[] {
  const phase = textAt(item, 'phase')
  const own = decodeContent(item['content'])
  return phase === undefined ? own : [...own, { kind: 'vendor-specific', by: 'openai-responses', type: 'phase', raw: { phase } }]
}

function decodeOther(type: string, item: JsonObject, tools: readonly DeclaredTool[]): Part[] {
  if (type === 'reasoning') {
    const part = reasoningPart(thoughtsOf(item), textAt(item, 'encrypted_content'))
    return part === undefined ? [] : [part]
  }
  if (type === 'function_call' || type === 'custom_tool_call') return [decodeCall(type, item, tools)]
  if (type === 'function_call_output' || type === 'custom_tool_call_output') return [decodeResult(item)]
  const called = calledBy(type)
  if (called !== undefined) return [{ kind: 'tool-call', id: callIdOf(item), name: called.name, arguments: argumentsOfCall(called, item) }]
  const answered = resultItemOf(type)
  if (answered !== undefined) return [{ kind: 'tool-result', call_id: callIdOf(item), content: decodeOutput(textOfResult(answered, item)) }]
  return [{ kind: 'vendor-specific', by: 'openai-responses', type, raw: item }]
}

const callIdOf = (item: JsonObject): string => textAt(item, 'call_id') ?? textAt(item, 'id') ?? ''

/** The summary, or the reasoning itself if an open model shows it. */
function thoughtsOf(item: JsonObject): string {
  const texts = (list: unknown) => (Array.isArray(list) ? list.flatMap((part) => textAt(part, 'text') ?? []) : [])
  const summary = texts(item['summary'])
  return (summary.length > 0 ? summary : texts(item['content'])).join('\n\n')
}

function decodeCall(type: string, item: JsonObject, tools: readonly DeclaredTool[]): ToolCallPart {
  const id = callIdOf(item)
  const name = flatNameOf(item, tools)
  if (type === 'function_call') return { kind: 'tool-call', id, name, arguments: argumentsText(item['arguments']) }
  return { kind: 'tool-call', id, name, arguments: JSON.stringify({ input: textAt(item, 'input') ?? '' }), is_custom: true }
}

function decodeResult(item: JsonObject): ToolResultPart {
  return { kind: 'tool-result', call_id: textAt(item, 'call_id') ?? '', content: decodeOutput(item['output']) }
}
