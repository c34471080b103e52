import { argumentsOf } from '../../call-arguments.ts'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput, StreamEncoder } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { isObject, objectAt, type JsonObject } from '../../../json.ts'
import { MessageWriter } from './writer.ts'

/** Keeps an idle stream open: https://platform.claude.com/docs/en/build-with-claude/streaming#ping-events */
export const PING = 'event: ping\ndata: {"type": "ping"}\n\n'

/** Encodes events as a Messages stream; see `MessageWriter` for the order. */
export function createEncoder(input: AnswerInput): StreamEncoder {
  return new Encoder(input)
}

class Encoder implements StreamEncoder {
  readonly #writer: MessageWriter

  constructor(input: AnswerInput) {
    this.#writer = new MessageWriter(input)
  }

  push(event: ModelEvent): string {
    return toText(this.#writer.push(event))
  }

  closing(usage: Usage): string {
    return toText(this.#writer.end(usage))
  }

  get warnings(): readonly string[] {
    return this.#writer.warnings
  }
}

/** Encodes events as one body: what a client would assemble from the stream. */
export function encodeAnswer(
  events: readonly ModelEvent[],
  input: AnswerInput,
): { readonly body: JsonObject; readonly warnings: readonly string[] } {
  const writer = new MessageWriter(input)
  const written = events.flatMap((event) => writer.push(event))
  const warnings = new Set<string>()
  const message = assemble([...written, ...writer.end(usageOf(events, input))], warnings)
  return { body: message, warnings: [...new Set([...writer.warnings, ...warnings])] }
}

function toText(events: readonly JsonObject[]): string {
  let text = ''
  for (const event of events) text += event['type'] === 'content_block_delta' ? toDelta(event) : toSse(event)
  return text
}

const toSse = (event: JsonObject) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`

/** Nearly every event is a delta, so only the changing part is encoded. */
const toDelta = ({ index, delta }: JsonObject) =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":${String(index)},"delta":${JSON.stringify(delta)}}\n\n`

function usageOf(events: readonly ModelEvent[], { prompt_tokens }: AnswerInput): Usage {
  const last = events.findLast((event) => event.kind === 'usage')
  if (last !== undefined) return last.usage
  return { ...ZERO_USAGE, text_in: prompt_tokens, prompt_tokens, source: 'estimated' }
}

function assemble(events: readonly JsonObject[], warnings: Set<string>): JsonObject {
  const content: JsonObject[] = []
  let message: JsonObject = {}
  let block: WithUndefined | undefined
  for (const event of events) {
    const { type } = event
    if (type === 'message_start') message = objectAt(event, 'message')
    else if (type === 'content_block_start')
      block = { head: objectAt(event, 'content_block'), text: '', input: '', citations: [], signature: '' }
    else if (type === 'content_block_delta' && block !== undefined) grow(block, objectAt(event, 'delta'))
    else if (type === 'content_block_stop' && block !== undefined) content.push(...toBlock(block, warnings))
    else if (type === 'message_delta') message = { ...message, content, ...objectAt(event, 'delta'), usage: event['usage'] }
  }
  return message
}

type WithUndefined = { readonly head: JsonObject; text: string; input: string; readonly citations: unknown[]; signature: string }

function grow(draft: WithUndefined, { text, thinking, partial_json, citation, signature }: JsonObject): void {
  for (const piece of [text, thinking]) if (typeof piece === 'string') draft.text += piece
  if (typeof partial_json === 'string') draft.input += partial_json
  if (typeof signature === 'string') draft.signature = signature
  if (isObject(citation)) draft.citations.push(citation)
}

/** A call whose arguments are no object is left out: the answer says that it was cut off. */
function toBlock({ head, text, input, citations, signature }: WithUndefined, warnings: Set<string>): JsonObject[] {
  const { type } = head
  if (type === 'text') return [{ ...head, text, ...(citations.length === 0 ? {} : { citations }) }]
  if (type === 'thinking') return [{ ...head, thinking: text, signature }]
  if (!('input' in head)) return [head]
  const whole = argumentsOf(input)
  if (whole !== undefined) return [{ ...head, input: whole }]
  warnings.add('tool_arguments')
  return []
}
