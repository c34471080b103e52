import type { AnswerInput } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { isLogprobs, type LogprobsEvent } from '../../logprobs.ts'
import { isObject, objectAt, objectsAt, textAt, type JsonObject } from '../../../json.ts'
import { Warnings } from '../../../warnings.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { declaredTools, type DeclaredTool } from './declared-tools.ts'
import { CallItem, CustomCallItem, type Called, ClientToolCallItem } from './call-item.ts'
import { CallsWriter, type AnyCallItem } from './calls-writer.ts'
import { clientToolOf } from './client-tools.ts'
import { MessageItem } from './message-item.ts'
import { TextBudget, WholeItem, type Emit, type OutputItem } from './output-item.ts'
import { idBase } from './own-ids.ts'
import { ReasoningItem } from './reasoning-item.ts'
import type { Outcome } from './response-object.ts'
import { sealProof } from './encrypted-reasoning.ts'

/**
 * Writes events of any format as output items of a response. In whatever order they arrive, items open before they are written to, close
 * once, and keep their position.
 */
export class OutputWriter {
  readonly warnings = new Warnings()
  readonly #emit: Emit
  readonly #base: string
  readonly #tools: ReadonlyMap<string, DeclaredTool>
  readonly #budget = new TextBudget()
  readonly #items: OutputItem[] = []
  readonly #calls = new CallsWriter(
    (started) => this.#openCall(started),
    (word) => this.warnings.add(word),
  )
  #open: MessageItem | ReasoningItem | undefined
  #outcome: Outcome | undefined

  constructor(input: AnswerInput, emit: Emit) {
    this.#emit = emit
    this.#base = idBase(input)
    this.#tools = new Map(declaredTools(input.body).map((tool) => [tool.name, tool]))
  }

  get output(): JsonObject[] {
    return this.#items.map(({ item }) => item)
  }

  /** Known once a finish was received. */
  get outcome(): Outcome | undefined {
    return this.#outcome
  }

  write(event: ModelEvent): void {
    if (this.#outcome !== undefined) {
      if (event.kind !== 'usage' && event.kind !== 'finish' && event.kind !== 'failed') this.warnings.add(`${event.kind} after the end`)
      return
    }
    switch (event.kind) {
      case 'text':
        if (event.text !== '') this.#message().write('output_text', event.text)
        return
      case 'refusal':
        if (event.text !== '') this.#message().write('refusal', event.text)
        return
      case 'reasoning':
        if (event.text !== '') this.#reasoning().write(event.text)
        return
      case 'tool-call':
        this.#calls.start(event)
        return
      case 'tool-arguments':
        this.#calls.grow(event.index, event.text)
        return
      case 'reasoning-signature':
      case 'redacted-reasoning':
        this.#prove(event)
        return
      case 'block-break':
        if (this.#open instanceof ReasoningItem) this.#open.closeParagraph()
        else this.#open?.closePart()
        return
      case 'citation':
        this.#cite(event)
        return
      case 'image':
        this.#addImage(event)
        return
      case 'audio':
        // The transcript is all that a text format can express of audio.
        if (event.transcript !== undefined && event.transcript !== '') this.#message().write('output_text', event.transcript)
        if (event.data !== '') this.warnings.add('audio')
        return
      case 'vendor-specific':
        if (event.by === 'openai-responses')
          this.#add((context) => new WholeItem(context, event.raw), textAt(event.raw, 'id'), 'item').close()
        else if (!isLogprobs(event) || !this.#addLogprobs(event)) this.warnings.add(event.type)
        return
      case 'finish':
        if (event.stop_sequence !== undefined) this.warnings.add('stop_sequence')
        this.finish(event)
        return
      case 'start':
      case 'usage':
      case 'failed':
    }
  }

  /** Closes all items; without a finish, as completed. */
  finish({ finish }: Pick<Extract<ModelEvent, { kind: 'finish' }>, 'finish'> = { finish: 'stop' }): Outcome {
    if (this.#outcome !== undefined) return this.#outcome
    const isWhole = finish === 'stop' || finish === 'tools'
    const status = isWhole ? 'completed' : 'incomplete'
    this.#open?.close(status)
    this.#open = undefined
    this.#calls.end(status)
    this.#outcome = isWhole
      ? { status: 'completed' }
      : finish === 'filter'
        ? { status: 'failed' }
        : { status: 'incomplete', reason: 'max_output_tokens' }
    return this.#outcome
  }

  #message(): MessageItem {
    if (this.#open instanceof MessageItem) return this.#open
    this.#closeOpen()
    const message = this.#add((context) => new MessageItem(context), undefined, 'msg')
    this.#open = message
    return message
  }

  #reasoning(): ReasoningItem {
    if (this.#open instanceof ReasoningItem) return this.#open
    this.#closeOpen()
    const reasoning = this.#add((context) => new ReasoningItem(context), undefined, 'rs')
    this.#open = reasoning
    return reasoning
  }

  #closeOpen(): void {
    this.#open?.close()
    this.#open = undefined
    this.#calls.closeWhole()
  }

  #add<T extends OutputItem>(create: (context: ConstructorParameters<typeof OutputItem>[0]) => T, id: string | undefined, kind: string): T {
    const index = this.#items.length
    const item = create({ emit: this.#emit, budget: this.#budget, id: id ?? `${kind}_${this.#base}_${index}`, index })
    if (kind === 'item' || kind === 'ig') this.#closeOpen()
    this.#items.push(item)
    item.open()
    return item
  }

  #openCall({ id, name: used, signature }: Extract<ModelEvent, { kind: 'tool-call' }>): AnyCallItem {
    this.#closeOpen()
    if (signature !== undefined) this.#proveCall(signature)
    const declared = this.#tools.get(used)
    const called = omitUndefined<Called>({ call_id: id, name: textAt(declared?.tool, 'name') ?? used, namespace: declared?.namespace })
    const run = declared === undefined ? undefined : clientToolOf(declared.tool)
    if (run !== undefined) return this.#add((context) => new ClientToolCallItem(context, run, id), undefined, run.idPrefix)
    return textAt(declared?.tool, 'type') === 'custom'
      ? this.#add((context) => new CustomCallItem(context, called), undefined, 'ctc')
      : this.#add((context) => new CallItem(context, called), undefined, 'fc')
  }

  /** A signature belongs to the reasoning before it; without reasoning it becomes an item of its own. */
  #prove(event: Extract<ModelEvent, { kind: 'reasoning-signature' | 'redacted-reasoning' }>): void {
    if (event.kind === 'redacted-reasoning') this.#closeOpen()
    const reasoning = this.#reasoning()
    const proof = event.kind === 'redacted-reasoning' ? ({ kind: 'redacted', data: event.data } as const) : undefined
    reasoning.prove(sealProof({ by: event.by, ...(proof ?? { kind: 'signature', data: 'signature' in event ? event.signature : '' }) }))
    this.#closeOpen()
  }

  /** The proof of a call is an item before it. */
  #proveCall(data: string): void {
    this.#reasoning().prove(sealProof({ by: 'gemini', kind: 'call', data }))
    this.#closeOpen()
  }

  #cite({ url, title, raw }: Extract<ModelEvent, { kind: 'citation' }>): void {
    // OpenAI's two formats have the same fields, one of them a level deeper.
    const own = isObject(raw['url_citation']) ? { type: 'url_citation', ...objectAt(raw, 'url_citation') } : raw
    const isOwn = OWN_CITATIONS.has(textAt(own, 'type') ?? '')
    if (!isOwn && url === undefined) this.warnings.add('citation without an address')
    else
      this.#message().annotate((end_index) => (isOwn ? own : { type: 'url_citation', url, title: title ?? url, start_index: 0, end_index }))
  }

  #addLogprobs({ raw }: LogprobsEvent): boolean {
    const entries = objectsAt(raw, 'content')
    return entries.length === 0 || (this.#open instanceof MessageItem && this.#open.addLogprobs(entries))
  }

  #addImage({ media_type, data }: Extract<ModelEvent, { kind: 'image' }>): void {
    const raw = {
      type: 'image_generation_call',
      output_format: media_type.slice(media_type.indexOf('/') + 1),
      result: this.#budget.take(data),
    }
    this.#add((context) => new WholeItem(context, raw), undefined, 'ig').close()
  }
}

const OWN_CITATIONS = new Set(['url_citation', 'file_citation', 'container_file_citation', 'file_path'])
