import { isObject, textAt, type JsonObject } from '../../../json.ts'

type Choice = { hasRole: boolean; readonly calls: CallIndexes }

/**
 * Repairs the chunks of a stream that official clients refuse although their sense is clear: chunks without `choices`, choices without
 * `index`, a first delta without role, an empty finish, calls whose indexes are missing, equal or do not begin at 0. Seen with openai
 * 7.57 for Node and 3.57 for Python, ai 7.0: 2026-11-27.
 */
export class ChunkRepair {
  /** Repairs that were made, each once. */
  readonly done = new Set<string>()
  readonly #choices = new Map<number, Choice>()
  #isStopped = false

  /** Ends the repair, because roles and calls may stand in an event that is not read. */
  stop(): void {
    this.#isStopped = true
  }

  /** The chunk as clients accept it; undefined: it is right as it is. */
  repair(chunk: JsonObject): JsonObject | undefined {
    if (this.#isStopped) return undefined
    const { choices } = chunk
    if (!Array.isArray(choices)) {
      this.done.add('choices')
      return { ...chunk, choices: [] }
    }
    let right: unknown[] | undefined
    // A loop without copies, because every chunk of every stream passes here.
    for (let at = 0; at < choices.length; at += 1) {
      const choice: unknown = choices[at]
      const repaired = isObject(choice) ? this.#repairChoice(choice, at) : undefined
      if (repaired !== undefined) (right ??= [...choices])[at] = repaired
    }
    return right === undefined ? undefined : { ...chunk, choices: right }
  }

  #repairChoice(choice: JsonObject, at: number): JsonObject | undefined {
    const { delta, finish_reason } = choice
    const index = typeof choice['index'] === 'number' ? choice['index'] : at
    const right = isObject(delta) ? this.#repairDelta(delta, this.#choiceAt(index)) : undefined
    const hasIndex = choice['index'] === index
    if (right === undefined && hasIndex && finish_reason !== '') return undefined
    return {
      ...choice,
      ...(hasIndex ? {} : { index: this.#note('index', index) }),
      ...(finish_reason === '' ? { finish_reason: this.#note('finish_reason', null) } : {}),
      ...(right === undefined ? {} : { delta: right }),
    }
  }

  #repairDelta(delta: JsonObject, choice: Choice): JsonObject | undefined {
    const { role, tool_calls } = delta
    const needsRole = role === '' || (!choice.hasRole && typeof role !== 'string')
    choice.hasRole = true
    const calls = Array.isArray(tool_calls) ? choice.calls.repair(tool_calls) : undefined
    if (!needsRole && calls === undefined) return undefined
    if (calls !== undefined) this.done.add('tool_calls')
    return {
      ...(needsRole ? { ...delta, role: this.#note('role', 'assistant') } : delta),
      ...(calls === undefined ? {} : { tool_calls: calls }),
    }
  }

  #choiceAt(index: number): Choice {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    const choice = { hasRole: false, calls: new CallIndexes() }
    this.#choices.set(index, choice)
    return choice
  }

  #note<T>(what: string, value: T): T {
    this.done.add(what)
    return value
  }
}

/** The calls of one choice, numbered from 0 in the order in which they begin. */
class CallIndexes {
  readonly #byIndex = new Map<number, { readonly index: number; readonly id: string | undefined }>()
  #last = 0
  #count = 0

  /** The entries with right indexes; undefined: they have them. */
  repair(entries: readonly unknown[]): unknown[] | undefined {
    let hasChanged = false
    const right = entries.map((entry) => {
      if (!isObject(entry)) return entry
      const index = this.#indexOf(entry)
      if (entry['index'] === index) return entry
      hasChanged = true
      return { ...entry, index }
    })
    return hasChanged ? right : undefined
  }

  #indexOf(entry: JsonObject): number {
    const id = textAt(entry, 'id')
    const isNamed = textAt(entry['function'] ?? entry['custom'], 'name') !== undefined
    const given = typeof entry['index'] === 'number' ? entry['index'] : undefined
    const known = given === undefined ? undefined : this.#byIndex.get(given)
    if (known !== undefined && (!isNamed || id === undefined || id === known.id)) return known.index
    if (given === undefined && !isNamed && this.#count > 0) return this.#last
    this.#last = this.#count
    this.#count += 1
    if (given !== undefined) this.#byIndex.set(given, { index: this.#last, id })
    return this.#last
  }
}
