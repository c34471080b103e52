import type { VendorCodec } from '../../chat/codec.ts'
import type { ModelEvent } from '../../chat/events.ts'
import type { ChatRequest } from '../../chat/request.ts'
import { parseJsonObject, textAt, type JsonObject } from '../../json.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { Warnings } from '../../warnings.ts'
import { createEventDecoder, type EventReader } from '../../chat/event-decoder.ts'
import { asOneText, noteUncarried, textOf, usageEvent } from '../text-only.ts'
import { decodeReplicateError, failedPrediction, readPrediction } from './prediction.ts'

/**
 * Language models on Replicate, as predictions with one prompt: https://replicate.com/docs/reference/http#models.predictions.create
 * Streams are read at an address in the answer: https://replicate.com/docs/reference/streaming
 * A model's inputs are its own; these are the names that its official language models use.
 */
export const replicateChat: VendorCodec = {
  name: 'replicate-chat',
  vendor: {
    encodeChat,
    carries: () => false,
    createDecoder: () => createEventDecoder(new Reader()),
    decodeAnswer,
    decodeError: decodeReplicateError,
    wantsInlineMedia: false,
    hasNoTools: true,
    hasNoFormats: true,
  },
}

const CARRIED = ['max_tokens', 'temperature', 'top_p', 'top_k', 'seed', 'frequency_penalty', 'presence_penalty', 'stop']

function encodeChat(request: ChatRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  noteUncarried(request, CARRIED, warnings)
  const isSystem = ({ role }: ChatRequest['messages'][number]) => role === 'system' || role === 'developer'
  const system = request.messages.filter(isSystem).map(({ parts }) => textOf(parts, warnings))
  const { max_tokens, temperature, top_p, top_k, seed, frequency_penalty, presence_penalty, stop } = request
  const input = omitUndefined<JsonObject>({
    prompt: asOneText(
      request.messages.filter((message) => !isSystem(message)),
      warnings,
    ),
    system_prompt: system.length === 0 ? undefined : system.join('\n'),
    max_tokens,
    temperature,
    top_p,
    top_k,
    seed,
    frequency_penalty,
    presence_penalty,
    stop_sequences: stop.length === 0 ? undefined : stop.join(','),
  })
  return { body: { input }, warnings: warnings.entries }
}

/** Text arrives as it is; the other events are JSON. */
class Reader implements EventReader {
  isDone = false
  #hasBegun = false

  parse(data: string, name: string | undefined): JsonObject | undefined {
    return name === 'output' ? { text: data } : parseJsonObject(data)
  }

  read(data: JsonObject, name: string | undefined): readonly ModelEvent[] {
    switch (name) {
      case 'output': {
        const text = textAt(data, 'text')
        return [...this.#begin(), ...(text === undefined ? [] : [{ kind: 'text', text } as const])]
      }
      case 'done':
        return this.#end(textAt(data, 'reason'))
      case 'error':
        return [{ kind: 'failed', failure: failedPrediction(data) }]
      default:
        return []
    }
  }

  #end(reason: string | undefined): ModelEvent[] {
    if (reason === 'error' || reason === 'canceled')
      return [{ kind: 'failed', failure: failedPrediction({ error: `the prediction ended: ${reason}` }) }]
    this.isDone = true
    return [...this.#begin(), { kind: 'finish', finish: 'stop' }]
  }

  #begin(): ModelEvent[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return [{ kind: 'start' }]
  }
}

function decodeAnswer(body: unknown): ModelEvent[] {
  const read = readPrediction(body)
  if (read.kind === 'failed') return [read]
  return [
    { kind: 'start', ...(read.id === undefined ? {} : { id: read.id }) },
    { kind: 'text', text: read.output.join('') },
    { kind: 'finish', finish: 'stop' },
    ...usageEvent(read.metrics, ['input_token_count', 'output_token_count']),
  ]
}
