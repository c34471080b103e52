import { argumentsOf, argumentsText } from '../../call-arguments.ts'
import type { ModelEvent } from '../../events.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'

const BY = 'anthropic-messages'

/** Blocks of server tools, whose input follows in pieces. */
const HAS_INPUT = new Set(['server_tool_use', 'mcp_tool_use'])

type Open =
  | { readonly kind: 'tool'; readonly index: number; hasArguments: boolean }
  | { readonly kind: 'vendor-specific'; readonly raw: JsonObject; input: string }
  | { readonly kind: 'other' }

/** Converts the blocks of one answer to events. The pieces of a server tool's input are kept until it is complete. */
export class BlockReader {
  readonly #open = new Map<unknown, Open>()
  #calls = 0
  #last: string | undefined

  begin(index: unknown, block: JsonObject): ModelEvent[] {
    const type = textAt(block, 'type') ?? 'unknown'
    const isSameKind = type === this.#last && (type === 'text' || type === 'thinking')
    this.#last = type
    this.#open.set(index, { kind: 'other' })
    const events: ModelEvent[] = isSameKind ? [{ kind: 'block-break' }] : []
    if (type === 'text') return [...events, ...citationEvents(block['citations']), ...textEvent(textAt(block, 'text'))]
    if (type === 'thinking') return [...events, ...reasoningEvents(block)]
    if (type === 'redacted_thinking') return [{ kind: 'redacted-reasoning', data: textAt(block, 'data') ?? '', by: BY }]
    if (type === 'tool_use') return this.#beginCall(index, block)
    if (!HAS_INPUT.has(type)) return [{ kind: 'vendor-specific', by: BY, type, raw: block }]
    this.#open.set(index, { kind: 'vendor-specific', raw: block, input: '' })
    return []
  }

  grow(index: unknown, delta: JsonObject): ModelEvent[] {
    switch (delta['type']) {
      case 'text_delta':
        return textEvent(textAt(delta, 'text'))
      case 'thinking_delta':
        return reasoningEvents(delta)
      case 'signature_delta':
        return signatureEvent(textAt(delta, 'signature'))
      case 'citations_delta':
        return citationEvents([delta['citation']])
      case 'input_json_delta':
        return this.#growInput(index, textAt(delta, 'partial_json') ?? '')
      default:
        return []
    }
  }

  end(index: unknown): ModelEvent[] {
    const open = this.#open.get(index)
    this.#open.delete(index)
    if (open?.kind === 'tool' && !open.hasArguments) return [{ kind: 'tool-arguments', index: open.index, text: '{}' }]
    if (open?.kind !== 'vendor-specific') return []
    const input = argumentsOf(open.input)
    // A call of a server tool that was cut off did not run.
    if (input === undefined) return []
    const raw = open.input === '' ? open.raw : { ...open.raw, input }
    return [{ kind: 'vendor-specific', by: BY, type: textAt(raw, 'type') ?? 'unknown', raw }]
  }

  #beginCall(index: unknown, block: JsonObject): ModelEvent[] {
    const call = this.#calls
    this.#calls += 1
    const input = argumentsText(block['input'])
    const isWhole = input !== '' && input !== '{}'
    this.#open.set(index, { kind: 'tool', index: call, hasArguments: isWhole })
    const begun: ModelEvent = {
      kind: 'tool-call',
      index: call,
      id: textAt(block, 'id') ?? `toolu_${call}`,
      name: textAt(block, 'name') ?? '',
    }
    return isWhole ? [begun, { kind: 'tool-arguments', index: call, text: input }] : [begun]
  }

  #growInput(index: unknown, text: string): ModelEvent[] {
    const open = this.#open.get(index)
    if (text === '' || open === undefined || open.kind === 'other') return []
    if (open.kind === 'vendor-specific') {
      open.input += text
      return []
    }
    open.hasArguments = true
    return [{ kind: 'tool-arguments', index: open.index, text }]
  }
}

const textEvent = (text: string | undefined): ModelEvent[] => (text === undefined ? [] : [{ kind: 'text', text }])

const signatureEvent = (signature: string | undefined): ModelEvent[] =>
  signature === undefined ? [] : [{ kind: 'reasoning-signature', signature, by: BY }]

function reasoningEvents(block: JsonObject): ModelEvent[] {
  const text = textAt(block, 'thinking')
  return [...(text === undefined ? [] : [{ kind: 'reasoning', text } as const]), ...signatureEvent(textAt(block, 'signature'))]
}

/** https://platform.claude.com/docs/en/build-with-claude/citations#response-structure */
function citationEvents(list: unknown): ModelEvent[] {
  if (!Array.isArray(list)) return []
  return list.filter(isObject).map((raw) => {
    const url = textAt(raw, 'url') ?? textAt(raw, 'source')
    const title = textAt(raw, 'title') ?? textAt(raw, 'document_title')
    const text = textAt(raw, 'cited_text')
    return {
      kind: 'citation',
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
      ...(text === undefined ? {} : { text }),
      raw,
    }
  })
}
