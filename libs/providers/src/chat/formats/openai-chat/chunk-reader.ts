import type { AnswerPurpose, VendorTraits } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { logprobsEvent } from '../../logprobs.ts'
import { failureInPassing, failureInTranslation, type End } from '../../ends.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, objectsAt, textAt, type JsonObject } from '../../../json.ts'
import { CallReader } from './call-reader.ts'
import { textsOf } from './content-lists.ts'
import { decodeUrl } from './data-url.ts'
import { endOf } from './finish.ts'
import { ReasoningDetailsReader } from './reasoning-details.ts'
import { readReasoning } from './reasoning-field.ts'
import { usageFromOpenAi } from './usage.ts'

/**
 * Reads the chunks of an answer, or the one body of a whole answer; of several choices the first. Accepts the variants of vendors: two
 * names for reasoning, three places for usage, the calls of `CallReader`, content as a list, a message instead of a delta.
 */
export class ChunkReader {
  readonly #calls = new CallReader()
  #id = ''
  #hasStarted = false
  #hasContent = false
  #end: End | undefined
  readonly #details: ReasoningDetailsReader | undefined

  constructor({ reasoning_details = false }: VendorTraits = {}) {
    this.#details = reasoning_details ? new ReasoningDetailsReader() : undefined
  }

  /** The answer has reported its finish. */
  get isFinished(): boolean {
    return this.#end !== undefined
  }

  /** Adds the events of a chunk to `events`. */
  read(chunk: JsonObject, events: ModelEvent[]): void {
    const { choices } = chunk
    if (Array.isArray(choices))
      for (const choice of choices) if (isObject(choice) && isFirst(choice)) this.#readChoice(choice, chunk, events)
    addUsage(chunk['usage'], events)
    addUsage(objectAt(chunk, 'x_groq')['usage'], events)
  }

  /** Ends the answer: with its finish or failure. With calls the finish is `tools`, because some vendors report `stop`. */
  end(purpose: AnswerPurpose = 'translation'): ModelEvent[] {
    if (this.#end === undefined) return []
    const failure = (purpose === 'pass-through' ? failureInPassing : failureInTranslation)(this.#end, this.#hasContent)
    if (failure !== undefined) return [{ kind: 'failed', failure }]
    const finish = this.#end.finish === 'stop' && this.#calls.count > 0 ? 'tools' : this.#end.finish
    const { unknown } = this.#end
    return [...this.#calls.end(), { kind: 'finish', finish, ...(unknown === undefined ? {} : { unknown }) }]
  }

  #readChoice(choice: JsonObject, chunk: JsonObject, events: ModelEvent[]): void {
    if (!this.#hasStarted) events.push(this.#start(chunk))
    // Some vendors repeat the whole message at the end of their stream.
    const message = isObject(choice['delta']) || this.#hasContent ? objectAt(choice, 'delta') : objectAt(choice, 'message')
    const before = events.length
    this.#readMessage(message, events)
    const logprobs = choice['logprobs']
    if (events.length > before) this.#hasContent = true
    if (isObject(logprobs)) events.push(logprobsEvent(logprobs))
    this.#end = endOf(choice['finish_reason']) ?? this.#end
    addUsage(choice['usage'], events)
  }

  #start(chunk: JsonObject): ModelEvent {
    this.#hasStarted = true
    const id = textAt(chunk, 'id')
    this.#id = id ?? ''
    return omitUndefined<Extract<ModelEvent, { kind: 'start' }>>({ kind: 'start', id, model: textAt(chunk, 'model') })
  }

  #readMessage(message: JsonObject, events: ModelEvent[]): void {
    const reasoning = readReasoning(message)
    const detailed = this.#details?.read(message, reasoning)
    if (detailed !== undefined) events.push(...detailed)
    else if (reasoning !== undefined) events.push({ kind: 'reasoning', text: reasoning })
    addContent(message['content'], events)
    const refusal = textAt(message, 'refusal')
    if (refusal !== undefined) events.push({ kind: 'refusal', text: refusal })
    for (const annotation of objectsAt(message, 'annotations')) events.push(toCitation(annotation))
    for (const image of objectsAt(message, 'images')) events.push(...readImage(image))
    if (isObject(message['audio'])) events.push(toAudio(message['audio']))
    for (const call of objectsAt(message, 'tool_calls')) events.push(...this.#calls.read(call, this.#id))
    const called = message['function_call']
    if (isObject(called)) events.push(...this.#calls.read({ index: 0, function: called }, this.#id))
  }
}

const isFirst = ({ index }: JsonObject) => typeof index !== 'number' || index === 0

function addUsage(raw: unknown, events: ModelEvent[]): void {
  if (!isObject(raw)) return
  const usage = usageFromOpenAi(raw)
  if (usage !== undefined) events.push({ kind: 'usage', usage, raw })
}

/** A text; or parts, as sent by Mistral's reasoning models: https://docs.mistral.ai/capabilities/reasoning/ */
function addContent(content: unknown, events: ModelEvent[]): void {
  if (typeof content === 'string' && content !== '') events.push({ kind: 'text', text: content })
  if (!Array.isArray(content)) return
  for (const part of content.filter(isObject)) {
    const kind = part['type'] === 'thinking' ? 'reasoning' : 'text'
    const text = kind === 'text' ? textAt(part, 'text') : textsOf(part['thinking'])
    if (text !== undefined && text !== '') events.push({ kind, text })
  }
}

function toCitation(raw: JsonObject): ModelEvent {
  const cited = objectAt(raw, 'url_citation')
  const url = textAt(cited, 'url')
  return omitUndefined<Extract<ModelEvent, { kind: 'citation' }>>({ kind: 'citation', url, title: textAt(cited, 'title'), raw })
}

/** https://openrouter.ai/docs/features/multimodal/image-generation */
function readImage(image: JsonObject): ModelEvent[] {
  const url = textAt(objectAt(image, 'image_url'), 'url')
  if (url === undefined) return []
  const source = decodeUrl(url)
  if (source.kind === 'base64') return [{ kind: 'image', media_type: source.media_type, data: source.data }]
  return [{ kind: 'text', text: `![image](${url})` }]
}

function toAudio(audio: JsonObject): ModelEvent {
  const { data } = audio
  return omitUndefined<Extract<ModelEvent, { kind: 'audio' }>>({
    kind: 'audio',
    data: typeof data === 'string' ? data : '',
    transcript: textAt(audio, 'transcript'),
    id: textAt(audio, 'id'),
  })
}
