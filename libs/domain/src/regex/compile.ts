import { DIGITS, LINE_ENDS, SPACE, WORD, type CharacterSet, type Edge, type Program, type Ranges, type Step } from './program.ts'

const MAX_PATTERN = 1000
const MAX_STEPS = 2000
const MAX_DEPTH = 50

class SyntaxFault extends Error {}

/**
 * Compiles a pattern in the syntax that RE2 and ECMAScript share: literals, `.`, classes, groups, `|`, `* + ? {n,m}` with their lazy forms,
 * `^ $ \b \B`, `\d \w \s` and flags `(?ims)` at the start. Undefined for anything else, such as back references and lookaround, which
 * cannot be matched in linear time, and for a pattern that is too large.
 */
export function compilePattern(pattern: string): Program | undefined {
  if (pattern.length > MAX_PATTERN) return undefined
  try {
    return new Compiler(pattern).compile()
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined
    throw error
  }
}

const ESCAPED_SETS: Readonly<Record<string, CharacterSet>> = {
  d: { ranges: DIGITS, excludes: false },
  D: { ranges: DIGITS, excludes: true },
  w: { ranges: WORD, excludes: false },
  W: { ranges: WORD, excludes: true },
  s: { ranges: SPACE, excludes: false },
  S: { ranges: SPACE, excludes: true },
}
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }

/** Writes steps while it reads the pattern from left to right. */
class Compiler {
  readonly #points: readonly string[]
  #at = 0
  #steps: Step[] = []
  #groups = 1
  #depth = 0
  readonly #flags: string

  constructor(pattern: string) {
    const flags = /^\(\?([ims]+)\)/.exec(pattern)
    this.#flags = flags?.[1] ?? ''
    this.#points = Array.from(pattern.slice(flags?.[0].length ?? 0))
  }

  compile(): Program {
    this.#emit({ kind: 'mark', slot: 0 })
    this.#alternatives()
    if (this.#at < this.#points.length) throw new SyntaxFault()
    this.#emit({ kind: 'mark', slot: 1 })
    this.#emit({ kind: 'accept' })
    return { steps: this.#steps, groups: this.#groups, ignoresCase: this.#flags.includes('i') }
  }

  #alternatives(): void {
    const start = this.#steps.length
    this.#sequence()
    while (this.#take('|')) {
      this.#insertFork(start, true, this.#steps.length + 2)
      const jump = { kind: 'jump' as const, target: 0 }
      this.#emit(jump)
      this.#alternatives()
      jump.target = this.#steps.length
    }
  }

  #sequence(): void {
    while (this.#at < this.#points.length && this.#peek() !== '|' && this.#peek() !== ')') {
      const start = this.#steps.length
      const isEdge = this.#atom()
      if (/^[*+?{]$/.test(this.#peek())) {
        if (isEdge) throw new SyntaxFault()
        this.#repeated(start)
      }
    }
  }

  /** True if the atom was an edge, which cannot be repeated. */
  #atom(): boolean {
    const one = this.#next()
    if (one === '(') this.#group()
    else if (one === '[') this.#read(this.#characterClass())
    else if (one === '.') this.#read({ ranges: this.#flags.includes('s') ? [] : LINE_ENDS, excludes: true })
    else if (one === '^') return this.#edge(this.#flags.includes('m') ? 'line-start' : 'start')
    else if (one === '$') return this.#edge(this.#flags.includes('m') ? 'line-end' : 'end')
    else if (one === '\\') return this.#escape()
    else if (/^[*+?{}\]]$/.test(one)) throw new SyntaxFault()
    else this.#read(setOf(one))
    return false
  }

  #group(): void {
    if ((this.#depth += 1) > MAX_DEPTH) throw new SyntaxFault()
    const isCaptured = !this.#take('?')
    if (!isCaptured && !this.#take(':')) throw new SyntaxFault()
    const slot = isCaptured ? 2 * this.#groups++ : 0
    if (isCaptured) this.#emit({ kind: 'mark', slot })
    this.#alternatives()
    if (!this.#take(')')) throw new SyntaxFault()
    if (isCaptured) this.#emit({ kind: 'mark', slot: slot + 1 })
    this.#depth -= 1
  }

  #escape(): boolean {
    const one = this.#next()
    if (one === 'b' || one === 'B') return this.#edge(one === 'b' ? 'word' : 'no-word')
    const set = ESCAPED_SETS[one]
    this.#read(set ?? setOf(this.#escaped(one)))
    return false
  }

  /** The character of an escape: a control, a code in hexadecimal, or a sign that stands for itself. */
  #escaped(one: string): string {
    const control = CONTROLS[one]
    if (control !== undefined) return control
    if (one === 'x' || one === 'u') {
      const length = one === 'x' ? 2 : 4
      const digits = this.#points.slice(this.#at, this.#at + length).join('')
      if (!/^[\da-f]+$/i.test(digits) || digits.length !== length) throw new SyntaxFault()
      this.#at += length
      return String.fromCodePoint(Number.parseInt(digits, 16))
    }
    if (!/^[\\^$.*+?()[\]{}|/\-"' ]$/.test(one)) throw new SyntaxFault()
    return one
  }

  #characterClass(): CharacterSet {
    const excludes = this.#take('^')
    const ranges: number[] = []
    while (!this.#take(']')) {
      const low = this.#classItem()
      const isRange = this.#peek() === '-' && this.#points[this.#at + 1] !== ']' && this.#at + 1 < this.#points.length
      if (typeof low !== 'string') {
        if (isRange) throw new SyntaxFault()
        ranges.push(...low)
        continue
      }
      if (isRange) this.#at += 1
      const high = isRange ? this.#classItem() : low
      if (typeof high !== 'string' || pointOf(high) < pointOf(low)) throw new SyntaxFault()
      ranges.push(pointOf(low), pointOf(high))
    }
    return { ranges, excludes }
  }

  /** A character, or the ranges of an escape such as `\d`. */
  #classItem(): string | Ranges {
    const one = this.#next()
    if (one === '[') throw new SyntaxFault()
    if (one !== '\\') return one
    const escaped = this.#next()
    const set = ESCAPED_SETS[escaped]
    if (set === undefined) return this.#escaped(escaped)
    return set.excludes ? complement(set.ranges) : set.ranges
  }

  /** Repeats the steps from `start` as the quantifier says. */
  #repeated(start: number): void {
    const [least, most] = this.#counts()
    const isGreedy = !this.#take('?')
    if (/^[*+?{]$/.test(this.#peek())) throw new SyntaxFault()
    const body = this.#steps.splice(start)
    for (let nth = 0; nth < least; nth += 1) this.#copy(body, start)
    if (most === undefined) {
      const loop = this.#steps.length
      const fork = this.#fork()
      this.#copy(body, start)
      this.#emit({ kind: 'jump', target: loop })
      this.#aim(fork, isGreedy, { inside: loop + 1, after: this.#steps.length })
      return
    }
    const forks: { fork: Extract<Step, { kind: 'fork' }>; inside: number }[] = []
    for (let nth = least; nth < most; nth += 1) {
      const fork = this.#fork()
      forks.push({ fork, inside: this.#steps.length })
      this.#copy(body, start)
    }
    for (const { fork, inside } of forks) this.#aim(fork, isGreedy, { inside, after: this.#steps.length })
  }

  #counts(): readonly [least: number, most: number | undefined] {
    const sign = this.#next()
    if (sign === '*') return [0, undefined]
    if (sign === '+') return [1, undefined]
    if (sign === '?') return [0, 1]
    const rest = this.#points.slice(this.#at, this.#at + 12).join('')
    const found = /^(\d{1,4})(,(\d{1,4})?)?\}/.exec(rest)
    if (found === null) throw new SyntaxFault()
    this.#at += found[0].length
    const least = Number(found[1])
    const most = found[2] === undefined ? least : found[3] === undefined ? undefined : Number(found[3])
    if (most !== undefined && most < least) throw new SyntaxFault()
    return [least, most]
  }

  #fork(): Extract<Step, { kind: 'fork' }> {
    const fork = { kind: 'fork' as const, first: 0, second: 0 }
    this.#emit(fork)
    return fork
  }

  #aim(fork: Extract<Step, { kind: 'fork' }>, isGreedy: boolean, { inside, after }: { inside: number; after: number }): void {
    fork.first = isGreedy ? inside : after
    fork.second = isGreedy ? after : inside
  }

  /** Puts a fork in front of the steps from `start`; their targets move by one. */
  #insertFork(start: number, isGreedy: boolean, after: number): void {
    const body = this.#steps.splice(start)
    this.#aim(this.#fork(), isGreedy, { inside: start + 1, after })
    this.#copy(body, start)
  }

  /** Adds steps that began at `from` at the end, with their targets moved along. */
  #copy(body: readonly Step[], from: number): void {
    const by = this.#steps.length - from
    for (const step of body) {
      if (step.kind === 'fork') this.#emit({ kind: 'fork', first: step.first + by, second: step.second + by })
      else if (step.kind === 'jump') this.#emit({ kind: 'jump', target: step.target + by })
      else this.#emit(step)
    }
  }

  #read(set: CharacterSet): void {
    this.#emit({ kind: 'read', set })
  }

  #edge(edge: Edge): true {
    this.#emit({ kind: 'edge', edge })
    return true
  }

  #emit(step: Step): void {
    if (this.#steps.length >= MAX_STEPS) throw new SyntaxFault()
    this.#steps.push(step)
  }

  #peek(): string {
    return this.#points[this.#at] ?? ''
  }

  #next(): string {
    const one = this.#points[this.#at]
    if (one === undefined) throw new SyntaxFault()
    this.#at += 1
    return one
  }

  #take(one: string): boolean {
    if (this.#peek() !== one) return false
    this.#at += 1
    return true
  }
}

const pointOf = (one: string): number => one.codePointAt(0) ?? 0
const setOf = (one: string): CharacterSet => ({ ranges: [pointOf(one), pointOf(one)], excludes: false })

const LAST_POINT = 0x10ffff

function complement(ranges: Ranges): Ranges {
  const result: number[] = []
  let from = 0
  for (let at = 0; at < ranges.length; at += 2) {
    result.push(from, (ranges[at] ?? 0) - 1)
    from = (ranges[at + 1] ?? 0) + 1
  }
  return [...result, from, LAST_POINT]
}
