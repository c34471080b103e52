import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { parseJsonObject, type JsonObject } from '../json.ts'
import { brokenAnswer } from './ends.ts'
import type { ModelEvent } from './events.ts'

/** The arguments of a call as an object; undefined if they are none. No text, or `null`, means no arguments. */
export function argumentsOf(text: string): JsonObject | undefined {
  const given = text.trim()
  return given === '' || given === 'null' ? {} : parseJsonObject(given)
}

/** The text of arguments in a body: some clients and vendors send the object itself. */
export function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given
  return given === undefined || given === null ? '' : JSON.stringify(given)
}

/** Size from which on arguments are kept as a length only, so they count as whole. */
const MAX_CHARACTERS = 16 * 1024 * 1024

/** Watches the calls of one answer for arguments that must be an object and are none. */
export class CallWatch {
  readonly #isWatched: (name: string) => boolean
  readonly #calls = new Map<number, { readonly name: string; readonly pieces: string[] }>()
  #length = 0

  /** `isWatched`: which tools have such arguments. */
  constructor(isWatched: (name: string) => boolean) {
    this.#isWatched = isWatched
  }

  /** The event itself; the end of an answer with a broken call becomes a failure, unless it says that the answer is incomplete. */
  read(event: ModelEvent): ModelEvent {
    if (event.kind === 'tool-call') {
      if (this.#isWatched(event.name)) this.#calls.set(event.index, { name: event.name, pieces: [] })
    } else if (event.kind === 'tool-arguments') this.#grow(event)
    else if (event.kind === 'finish' && (event.finish === 'stop' || event.finish === 'tools')) {
      const failure = this.#failure()
      if (failure !== undefined) return { kind: 'failed', failure }
    }
    return event
  }

  #grow({ index, text }: Extract<ModelEvent, { kind: 'tool-arguments' }>): void {
    this.#length += text.length
    this.#calls.get(index)?.pieces.push(text)
    if (this.#length > MAX_CHARACTERS) this.#calls.clear()
  }

  #failure(): UpstreamFailure | undefined {
    const broken = [...this.#calls.values()].find(({ pieces }) => argumentsOf(pieces.join('')) === undefined)
    if (broken === undefined) return undefined
    return brokenAnswer('malformed_tool_arguments', `upstream called the tool ${broken.name} with arguments that are not a JSON object`)
  }
}
