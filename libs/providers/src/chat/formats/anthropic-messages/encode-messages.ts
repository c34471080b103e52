import type { Message, Part } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { encodeParts } from './encode-parts.ts'

type Role = 'user' | 'assistant' | 'system'
type Turn = { readonly role: Role; readonly blocks: JsonObject[] }

export type EncodedMessages = {
  readonly system: readonly JsonObject[]
  readonly messages: readonly JsonObject[]
  /** The last answer called tools and their results follow, but its thinking blocks are missing. */
  readonly isLoopUnsigned: boolean
}

/**
 * Encodes the conversation as alternating turns. System messages before the first turn become the system prompt. Later ones stay in place
 * if model and vendor accept them there; otherwise they move to the system prompt, with a warning.
 */
export function encodeMessages(messages: readonly Message[], hasSystemTurns: boolean, warnings: Set<string>): EncodedMessages {
  const system: JsonObject[] = []
  const turns: Turn[] = []
  for (const { role, parts, name } of messages) {
    if (name !== undefined) warnings.add('name')
    const isInstruction = role === 'system' || role === 'developer'
    const blocks = encodeParts(isInstruction ? textsOf(parts, warnings) : parts, warnings)
    if (isInstruction && turns.length === 0) system.push(...blocks)
    else if (blocks.length > 0) append(turns, isInstruction ? 'system' : role === 'assistant' ? 'assistant' : 'user', blocks)
  }
  const placed = placeInstructions(turns, hasSystemTurns, system, warnings)
  const ordered = startWithUser(placed, warnings).map(({ role, blocks }) => ({
    role,
    content: role === 'user' ? resultsFirst(blocks) : blocks,
  }))
  withoutTrailingSpace(ordered.at(-1))
  return { system, messages: ordered, isLoopUnsigned: isUnsigned(ordered) }
}

/** System prompts are text: https://platform.claude.com/docs/en/api/messages/create */
function textsOf(parts: readonly Part[], warnings: Set<string>): Part[] {
  const texts = parts.filter(({ kind }) => kind === 'text')
  if (texts.length < parts.length) warnings.add('system_media')
  return texts
}

function append(turns: Turn[], role: Role, blocks: readonly JsonObject[]): void {
  const last = turns.at(-1)
  if (last?.role === role) last.blocks.push(...blocks)
  else turns.push({ role, blocks: [...blocks] })
}

/**
 * System messages are allowed after a user turn, when an answer or nothing follows:
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
function placeInstructions(turns: readonly Turn[], hasSystemTurns: boolean, system: JsonObject[], warnings: Set<string>): Turn[] {
  const placed: Turn[] = []
  for (const [index, turn] of turns.entries()) {
    const isAllowed = hasSystemTurns && placed.at(-1)?.role === 'user' && turns[index + 1]?.role !== 'user'
    if (turn.role !== 'system' || isAllowed) append(placed, turn.role, turn.blocks)
    else {
      system.push(...turn.blocks)
      warnings.add('system_position')
    }
  }
  return placed
}

/** The first turn must be a user turn, and there must be at least one. */
function startWithUser(turns: readonly Turn[], warnings: Set<string>): readonly Turn[] {
  if (turns[0]?.role === 'user') return turns
  warnings.add('user_message_added')
  return [{ role: 'user', blocks: [{ type: 'text', text: '...' }] }, ...turns]
}

/** Tool results must come first in their turn: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls */
function resultsFirst(blocks: readonly JsonObject[]): JsonObject[] {
  const isResult = (block: JsonObject) => block['type'] === 'tool_result'
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]
}

/**
 * The vendor refuses an assistant turn at the end whose text ends in white space:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-engineering/prefill-claudes-response
 */
function withoutTrailingSpace(turn: { readonly role: Role; readonly content: JsonObject[] } | undefined): void {
  const last = turn?.content.at(-1)
  if (turn?.role !== 'assistant' || last?.['type'] !== 'text' || typeof last['text'] !== 'string') return
  turn.content[turn.content.length - 1] = { ...last, text: last['text'].trimEnd() }
}

function isUnsigned(messages: readonly { readonly role: Role; readonly content: readonly JsonObject[] }[]): boolean {
  const answer = messages.findLast(({ role }) => role === 'assistant')
  const hasCalls = answer?.content.some(({ type }) => type === 'tool_use') ?? false
  const first = answer?.content[0]?.['type']
  return hasCalls && first !== 'thinking' && first !== 'redacted_thinking'
}
