import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'

/** One event of a stream, as far as its step knows it. */
export type StepEvent = JsonObject & { readonly event_type: string }

/** Characters of an answer that is kept. */
const MAX_KEPT = 4 * 1024 * 1024

/** Writes the parts of an answer as steps: consecutive contents of one kind are one step. */
export class StepWriter {
  #steps: JsonObject[] = []
  #size = 0
  #count = 0
  #open: 'model_output' | 'thought' | undefined
  hasCalls = false

  /** The steps so far; undefined: they are too long to be kept. */
  get steps(): readonly JsonObject[] | undefined {
    return this.#size > MAX_KEPT ? undefined : this.#steps
  }

  write(part: JsonObject): StepEvent[] {
    const call = part['functionCall']
    const signature = textAt(part, 'thoughtSignature')
    if (isObject(call)) return [...this.#sign(signature), ...this.#call(call)]
    const text = textAt(part, 'text') ?? ''
    if (part['thought'] === true)
      return [
        ...(text === '' ? [] : this.#add('thought', { type: 'thought_summary', content: { type: 'text', text } })),
        ...this.#sign(signature),
      ]
    const inline = objectAt(part, 'inlineData')
    const data = textAt(inline, 'data')
    const mime_type = textAt(inline, 'mimeType') ?? ''
    if (data !== undefined) return this.#add('model_output', { type: mime_type.startsWith('audio/') ? 'audio' : 'image', data, mime_type })
    return text === '' ? [] : this.#add('model_output', { type: 'text', text })
  }

  close(): StepEvent[] {
    if (this.#open === undefined) return []
    this.#open = undefined
    return [{ event_type: 'step.stop', index: this.#count - 1 }]
  }

  /** A signature completes its thought; what follows is another one. */
  #sign(signature: string | undefined): StepEvent[] {
    if (signature === undefined) return []
    return [...this.#add('thought', { type: 'thought_signature', signature }), ...this.close()]
  }

  #call({ id, name, args }: JsonObject): StepEvent[] {
    this.hasCalls = true
    const closed = this.close()
    const step = { type: 'function_call', id, name }
    this.#keep({ ...step, arguments: args })
    const index = this.#count - 1
    return [
      ...closed,
      { event_type: 'step.start', index, step: { ...step, arguments: {} } },
      { event_type: 'step.delta', index, delta: { type: 'arguments_delta', arguments: JSON.stringify(args) } },
      { event_type: 'step.stop', index },
    ]
  }

  #add(type: 'model_output' | 'thought', delta: JsonObject): StepEvent[] {
    const begun = this.#open === type ? [] : [...this.close(), this.#begin(type)]
    this.#size += JSON.stringify(delta).length
    const last = this.#steps.at(-1)
    if (last !== undefined && this.#size <= MAX_KEPT) this.#steps[this.#steps.length - 1] = withDelta(last, delta)
    return [...begun, { event_type: 'step.delta', index: this.#count - 1, delta }]
  }

  #begin(type: 'model_output' | 'thought'): StepEvent {
    this.#open = type
    this.#keep({ type })
    return { event_type: 'step.start', index: this.#count - 1, step: { type } }
  }

  #keep(step: JsonObject): void {
    this.#count += 1
    this.#size += JSON.stringify(step).length
    if (this.#size <= MAX_KEPT) this.#steps.push(step)
  }
}

function withDelta(step: JsonObject, delta: JsonObject): JsonObject {
  if (delta['type'] === 'thought_signature') return { ...step, signature: delta['signature'] }
  const name = step['type'] === 'thought' ? 'summary' : 'content'
  const added = step['type'] === 'thought' ? objectAt(delta, 'content') : delta
  const list: readonly JsonObject[] = Array.isArray(step[name]) ? step[name].filter(isObject) : []
  const last = list.at(-1)
  const isJoined = last?.['type'] === 'text' && added['type'] === 'text'
  if (!isJoined) return { ...step, [name]: [...list, added] }
  return { ...step, [name]: [...list.slice(0, -1), { ...last, text: `${String(last['text'])}${String(added['text'])}` }] }
}
