import { isObject, textAt, type JsonObject } from '../../../json.ts'

type Choice = { hasRole: boolean; readonly calls: Calls }

/**
 * Repairs the chunks of a stream that official clients refuse although their sense is clear: chunks without `choices`, choices without
 * `index`, a first delta without role, an empty finish, calls whose indexes are missing, equal or do not begin at 0, or whose id or name
 * comes again. Seen with openai 7.57 for Node and 3.57 for Python, ai 7.0: 2026-11-27.
 */
export class ChunkRepair {
  /** Repairs that were made, each once. */
  readonly done = new Set<string>()
  readonly #choices = new Map<number, Choice>()
  #isStopped = false

  get isStopped(): boolean {
    return this.#isStopped
  }

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
    const choice = { hasRole: false, calls: new Calls() }
    this.#choices.set(index, choice)
    return choice
  }

  #note<T>(what: string, value: T): T {
    this.done.add(what)
    return value
  }
}

type Call = { readonly index: number; readonly id: string | undefined; readonly name: string | undefined }

/** The calls of one choice, numbered from 0 in the order in which they begin. */
class Calls {
  readonly #byIndex = new Map<number, Call>()
  #last: Call | undefined
  #count = 0

  /** The entries as clients accept them; undefined: they are right as they are. */
  repair(entries: readonly unknown[]): unknown[] | undefined {
    let hasChanged = false
    const right = entries.map((entry) => {
      const repaired = isObject(entry) ? this.#repairEntry(entry) : entry
      hasChanged ||= repaired !== entry
      return repaired
    })
    return hasChanged ? right : undefined
  }

  #repairEntry(entry: JsonObject): JsonObject {
    const known = this.#knownOf(entry)
    const { index } = known ?? this.#begin(entry)
    const right = known === undefined ? entry : withoutRepeats(entry, known)
    return right['index'] === index ? right : { ...right, index }
  }

  /** The call that this entry continues. */
  #knownOf(entry: JsonObject): Call | undefined {
    const id = textAt(entry, 'id')
    const isNamed = textAt(entry[kindOf(entry)], 'name') !== undefined
    if (typeof entry['index'] !== 'number') return isNamed ? undefined : this.#last
    const known = this.#byIndex.get(entry['index'])
    return !isNamed || id === undefined || id === known?.id ? known : undefined
  }

  #begin(entry: JsonObject): Call {
    const call = { index: this.#count, id: textAt(entry, 'id'), name: textAt(entry[kindOf(entry)], 'name') }
    this.#last = call
    this.#count += 1
    if (typeof entry['index'] === 'number') this.#byIndex.set(entry['index'], call)
    return call
  }
}

const kindOf = (entry: JsonObject) => (entry['function'] === undefined ? 'custom' : 'function')

/**
 * A later piece of a call without the id, type and name that clients append to the first ones, or replace them with: Fireworks and NVIDIA
 * repeat them, DeepSeek and DashScope send them empty (2026-08).
 */
function withoutRepeats(entry: JsonObject, call: Call): JsonObject {
  const kind = kindOf(entry)
  const called = entry[kind]
  const isIdRepeated = isRepeated(entry['id'], call.id)
  const isNameRepeated = isObject(called) && isRepeated(called['name'], call.name)
  if (!isIdRepeated && !isNameRepeated && entry['type'] !== '') return entry
  const { id, type: _type, ...rest } = entry
  return {
    ...rest,
    ...(isIdRepeated || id === undefined ? {} : { id }),
    ...(isNameRepeated ? { [kind]: withoutName(called) } : {}),
  }
}

const isRepeated = (value: unknown, first: string | undefined) => value === '' || (value !== undefined && value === first)

function withoutName({ name: _name, ...rest }: JsonObject): JsonObject {
  return rest
}
