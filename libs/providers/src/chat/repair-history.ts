import type { Warnings } from '../warnings.ts'
import { argumentsOf } from './call-arguments.ts'
import type { VendorSide } from './codec.ts'
import type { Message, Part, TextPart, ToolCallPart, ToolResultPart } from './request.ts'

const LOST = 'The result of this call is not part of the conversation.'

/** `asText`: the call is sent as text, and its result too. */
type OpenCall = { readonly given: string; readonly sent: string; readonly asText?: string; result?: ToolResultPart }

type Repair = {
  /** The ids that were sent, each with the number of the next one like it. */
  readonly used: Map<string, number>
  readonly warnings: Warnings
  readonly target: Target
}

/** Properties of the vendor's format. */
type Target = Pick<VendorSide, 'takesObjectArguments'>

/**
 * A history in which every call has one result, right after the turn that made it, and every result its call; clients send others after
 * they shortened or resumed a conversation, and vendors refuse them. A result belongs to the nearest call before it with its id; a second
 * call with the same id gets an id of its own. A call whose arguments are no object is text where the vendor takes objects only. What is
 * repaired gives a warning; a whole history stays the same object.
 */
export function repairHistory(messages: readonly Message[], warnings: Warnings, target: Target): readonly Message[] {
  const repair: Repair = { used: new Map(), warnings, target }
  const repaired: Message[] = []
  let hasChanged = false
  for (let from = 0; from < messages.length;) {
    const end = endOf(messages, from, (message) => message.role === 'assistant')
    const next = endOf(messages, end, (message) => message.role !== 'assistant')
    const calls: OpenCall[] = []
    const turn = messages.slice(from, end).map((message) => openCalls(message, calls, repair))
    const replies = messages.slice(end, next)
    const answered = calls.length === 0 && !replies.some(hasResult) ? replies : placeResults(replies, { ...repair, calls })
    hasChanged ||= answered !== replies || turn.some((message, index) => message !== messages[from + index])
    repaired.push(...turn, ...answered)
    from = next
  }
  return hasChanged ? repaired : messages
}

function endOf(messages: readonly Message[], from: number, isPart: (message: Message) => boolean): number {
  let end = from
  for (let message = messages[end]; message !== undefined && isPart(message); message = messages[end]) end += 1
  return end
}

const hasResult = ({ parts }: Message) => parts.some(({ kind }) => kind === 'tool-result')

/** Notes the calls of a message, with an id of its own for each. */
function openCalls(message: Message, calls: OpenCall[], { used, warnings, target }: Repair): Message {
  let isRepaired = false
  const parts = message.parts.map((part): Part => {
    if (part.kind !== 'tool-call') return part
    if (target.takesObjectArguments === true && argumentsOf(part.arguments) === undefined) {
      isRepaired = true
      use(part.id, used)
      calls.push({ given: part.id, sent: part.id, asText: part.name })
      warnings.add('tool call with arguments that are no JSON object: sent as text')
      return { kind: 'text', text: `Call of the tool ${part.name} with arguments that are not a JSON object: ${part.arguments}` }
    }
    const sent = freeId(part, used)
    use(sent, used)
    calls.push({ given: part.id, sent })
    if (sent === part.id) return part
    isRepaired = true
    warnings.add('tool call: id used twice')
    return { ...part, id: sent }
  })
  return isRepaired ? { ...message, parts } : message
}

const FIRST_COPY = 2

function use(id: string, used: Repair['used']): void {
  if (!used.has(id)) used.set(id, FIRST_COPY)
}

/** The id, or the next free one like it. */
function freeId({ id }: ToolCallPart, used: Repair['used']): string {
  let next = used.get(id)
  if (next === undefined) return id
  while (used.has(`${id}_${next}`)) next += 1
  used.set(id, next + 1)
  return `${id}_${next}`
}

type Turn = Repair & { readonly calls: readonly OpenCall[] }
/** The calls of a turn that have no result yet, by id, the first one last. */
type Waiting = ReadonlyMap<string, OpenCall[]>

function placeResults(replies: readonly Message[], turn: Turn): readonly Message[] {
  const { warnings } = turn
  const waiting = Map.groupBy(turn.calls.toReversed(), ({ given }) => given)
  const rest = replies.map((message) => (hasResult(message) ? withoutResults(message, waiting, turn) : message))
  const calls = turn.calls.filter(({ asText }) => asText === undefined)
  // The turn that is still open: the vendor is asked to go on with it.
  if (replies.length === 0 || calls.length === 0) return sameOr(replies, rest)
  const results = calls.map(({ sent, result }): ToolResultPart => {
    if (result !== undefined) return result
    warnings.add('tool call without its result: a result was added')
    return { kind: 'tool-result', call_id: sent, content: [{ kind: 'text', text: LOST }], is_error: true }
  })
  if (isWhole(replies, calls)) return replies
  const [first, ...others] = rest
  const own: Message = first?.role === 'user' ? { ...first, parts: [...results, ...first.parts] } : { role: 'user', parts: results }
  const later = first?.role === 'user' ? others : rest
  return [own, ...later.filter(({ parts }, index) => parts.length > 0 || !hasResult(replies[replies.length - later.length + index] ?? own))]
}

/** A message without its results, which their calls keep; one without a call stays as text, a second one of a call is dropped. */
function withoutResults(message: Message, waiting: Waiting, { used, warnings }: Turn): Message {
  const parts = message.parts.flatMap((part): readonly Part[] => {
    if (part.kind !== 'tool-result') return [part]
    const call = waiting.get(part.call_id)?.pop()
    if (call?.asText !== undefined) {
      call.result = part
      return [resultHead(call.asText), ...part.content]
    }
    if (call !== undefined) {
      call.result = call.sent === part.call_id ? part : { ...part, call_id: call.sent }
      return []
    }
    if (used.has(part.call_id)) {
      warnings.add('tool result sent twice')
      return []
    }
    warnings.add('tool result without its call: sent as text')
    return [resultHead(part.name ?? part.call_id), ...part.content]
  })
  return { ...message, parts }
}

const resultHead = (tool: string): TextPart => ({ kind: 'text', text: `Result of the tool ${tool}:` })

/** All results are in the message after the turn, once and under the ids of their calls. */
function isWhole(replies: readonly Message[], calls: readonly OpenCall[]): boolean {
  const [first, ...others] = replies
  const results = new Set(first?.parts.filter((part) => part.kind === 'tool-result'))
  const isOwn = results.size === calls.length && calls.every(({ result }) => result !== undefined && results.has(result))
  return isOwn && !others.some(hasResult)
}

const sameOr = (given: readonly Message[], changed: readonly Message[]): readonly Message[] =>
  changed.every((message, index) => message === given[index]) ? given : changed.filter(({ parts }) => parts.length > 0)
