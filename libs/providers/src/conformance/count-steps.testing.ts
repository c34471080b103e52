type Method = (this: unknown, ...values: unknown[]) => unknown
type Methods = Record<PropertyKey, Method>
type Steps = (self: unknown, values: readonly unknown[], result: unknown) => number

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) || ArrayBuffer.isView(value) ? (value as string | unknown[]).length : 0
const ofSelf: Steps = (self) => lengthOf(self)
const ofResult: Steps = (_self, _values, result) => lengthOf(result)
const one: Steps = () => 1
/** The text between the place where a search begins and where it ends. */
const searched: Steps = (self, [, from], found) => {
  const begin = typeof from === 'number' ? Math.min(from, lengthOf(self)) : 0
  return (typeof found === 'number' && found >= 0 ? found : lengthOf(self)) - begin + 1
}

const asMethods = (owner: unknown): Methods => owner as Methods
const ITERATOR = asMethods(Object.getPrototypeOf([][Symbol.iterator]()))

/** Built-in functions, and what a call of each is worth. */
const COUNTED: readonly (readonly [owner: Methods, names: readonly PropertyKey[], steps: Steps])[] = [
  [ITERATOR, ['next'], one],
  [asMethods(Array.prototype), ['concat', 'includes', 'lastIndexOf', 'join', 'shift', 'unshift', 'toSorted', 'toReversed'], ofSelf],
  [asMethods(Array.prototype), ['indexOf'], searched],
  [asMethods(String.prototype), ['indexOf'], searched],
  [asMethods(Buffer.prototype), ['indexOf'], searched],
  [asMethods(Array.prototype), ['push', 'pop', 'at', 'with', 'splice'], one],
  [asMethods(Array.prototype), ['slice'], ofResult],
  [asMethods(String.prototype), ['includes', 'lastIndexOf', 'split', 'replace', 'replaceAll', 'match', 'toLowerCase', 'trim'], ofSelf],
  [asMethods(JSON), ['stringify'], ofResult],
  [asMethods(JSON), ['parse'], (_self, [text]) => lengthOf(text)],
  [asMethods(Buffer), ['concat'], ofResult],
  [asMethods(Buffer.prototype), ['toString', 'includes'], ofSelf],
  [asMethods(Object), ['entries', 'keys', 'values'], ofResult],
  [asMethods(Map.prototype), ['get', 'has', 'set'], one],
  [asMethods(Set.prototype), ['has', 'add'], one],
]
/** Those that call a function for each element. */
const CALLING = ['map', 'filter', 'find', 'findLast', 'findIndex', 'findLastIndex', 'some', 'every', 'flatMap', 'forEach', 'reduce']

/**
 * Tests only: how much work a call is, as a number that is the same on every machine: the elements that built-in functions iterate, copy
 * or look at, and the characters that they read or write. Loops of ours consist of such calls.
 */
export function countSteps(run: () => void): number {
  let count = 0
  const restores: (() => void)[] = []
  const replace = (owner: Methods, name: PropertyKey, make: (own: Method) => Method): void => {
    const own = owner[name]
    if (own === undefined) throw new Error(`${String(name)} is not a method`)
    owner[name] = make(own)
    restores.push(() => void (owner[name] = own))
  }
  for (const [owner, names, stepsOf] of COUNTED)
    for (const name of names)
      replace(
        owner,
        name,
        (own) =>
          function counted(this: unknown, ...values: unknown[]) {
            const result = Reflect.apply(own, this, values)
            count += stepsOf(this, values, result)
            return result
          },
      )
  for (const name of CALLING)
    replace(
      asMethods(Array.prototype),
      name,
      (own) =>
        function counted(this: unknown, ...values: unknown[]) {
          const [call, ...rest] = values as [Method, ...unknown[]] // a function for each element comes first
          const counting = (...given: unknown[]): unknown => {
            count += 1
            return Reflect.apply(call, rest[0], given)
          }
          return Reflect.apply(own, this, [counting, ...rest])
        },
    )
  try {
    run()
  } finally {
    for (let at = restores.length - 1; at >= 0; at -= 1) restores[at]?.()
  }
  return count
}
