/** The counts that an expression can name: tokens of a class, and the length of the whole prompt in conditions. */
const VARIABLES = ['p', 'c', 'cr', 'cc', 'cc1h', 'img', 'ai', 'ao', 'len'] as const
type Variable = (typeof VARIABLES)[number]

export type Amounts = Readonly<Record<Variable, number>>
export type Coefficients = ReadonlyMap<Variable, number>

type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='
type Node =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'variable'; readonly name: Variable }
  | { readonly kind: 'fixed'; readonly dollars: number }
  | { readonly kind: 'arithmetic'; readonly operator: '+' | '-' | '*' | '/'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Node; readonly right: Node }
  | { readonly kind: 'logic'; readonly operator: '&&' | '||'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'choice'; readonly condition: Node; readonly met: Node; readonly otherwise: Node }

const arithmetic = (operator: '+' | '-' | '*' | '/', left: Node, right: Node): Node => ({ kind: 'arithmetic', operator, left, right })

/** An expression that prices of other gateways cannot say; the message names the part. */
export class Unsayable extends Error {
  override readonly name = 'Unsayable'
}

export type PriceExpression = {
  readonly variables: ReadonlySet<Variable>
  /** US dollars of a request. */
  readonly dollarsOf: (amounts: Amounts) => number
  /** Dollars for a million of each, by length of the prompt: each band begins above its bound. */
  readonly bands: readonly { readonly above: number; readonly dollars: Coefficients; readonly call: number }[]
  /** A condition counts the prompt without its cached tokens. */
  readonly hasBoundWithoutCached: boolean
}

/**
 * Reads a price of new-api that is an expression: `len <= 200000 ? tier("short", p * 3 + c * 15) : tier("long", p * 6 + c * 22.5)`. Its
 * numbers are dollars for a million tokens, `fixed(0.01)` is dollars of a call.
 */
export function readPriceExpression(text: string): PriceExpression {
  const [body = '', ...rules] = text.replace(/^\s*v1:/, '').split('|||')
  if (rules.some((rule) => rule.trim() !== '')) throw new Unsayable('rules of the request')
  const variables = new Set<Variable>()
  const node = new Parser(body, variables).whole()
  const conditions = conditionsIn(node)
  const bounds = [...new Set(conditions.map(boundOf))].toSorted((a, b) => a - b)
  const bands = [0, ...bounds.filter((bound) => bound > 0)].map((above) => {
    const price = linear(chosen(node, promptOf(above + 1)))
    const call = callOf(price)
    if (![call, ...price.dollars.values()].every((dollars) => dollars >= 0 && Number.isFinite(dollars)))
      throw new Unsayable('a price below 0, or without an end')
    return { above, dollars: price.dollars, call }
  })
  const splitsPrompt = variables.has('cr') || variables.has('cc') || variables.has('cc1h')
  return {
    variables,
    dollarsOf: (amounts) => {
      const price = linear(chosen(node, amounts))
      return [...price.dollars].reduce((sum, [name, dollars]) => sum + dollars * amounts[name], 0) / MILLION + callOf(price)
    },
    bands: bands.filter((band, index) => index === 0 || !isSameBand(band, bands[index - 1])),
    hasBoundWithoutCached: splitsPrompt && conditions.some(({ left }) => left.name === 'p'),
  }
}

/** Far more than a price has; a longer one could be nested deeper than the stack is. */
const MAX_TOKENS = 1000

const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_]\w*)|"([^"]*)"|'([^']*)'|(<=|>=|==|!=|&&|\|\||[-+*/?:(),<>]))/y

/** Recursive descent over the grammar of the expressions: choice, logic, comparison, sum, product, term. */
class Parser {
  readonly #tokens: readonly string[]
  readonly #variables: Set<Variable>
  #at = 0

  constructor(text: string, variables: Set<Variable>) {
    this.#tokens = tokensOf(text)
    this.#variables = variables
  }

  whole(): Node {
    const node = this.#choice()
    if (this.#peek() !== undefined) throw new Unsayable(this.#peek() ?? '')
    return node
  }

  #choice(): Node {
    const condition = this.#logic()
    if (!this.#take('?')) return condition
    const met = this.#choice()
    this.#expect(':')
    return { kind: 'choice', condition, met, otherwise: this.#choice() }
  }

  #logic(): Node {
    return this.#leftToRight(
      ['&&', '||'],
      () => this.#comparison(),
      (operator, left, right) => ({ kind: 'logic', operator, left, right }),
    )
  }

  #comparison(): Node {
    const left = this.#sum()
    const operator = this.#oneOf(['<', '<=', '>', '>=', '==', '!='])
    return operator === undefined ? left : { kind: 'compare', operator, left, right: this.#sum() }
  }

  #sum(): Node {
    return this.#leftToRight(['+', '-'], () => this.#product(), arithmetic)
  }

  #product(): Node {
    return this.#leftToRight(['*', '/'], () => this.#term(), arithmetic)
  }

  /** Operators of one rank, each with all before it as its left side. */
  #leftToRight<Operator extends string>(
    operators: readonly Operator[],
    next: () => Node,
    join: (operator: Operator, left: Node, right: Node) => Node,
  ): Node {
    let left = next()
    for (let operator = this.#oneOf(operators); operator !== undefined; operator = this.#oneOf(operators))
      left = join(operator, left, next())
    return left
  }

  #term(): Node {
    if (this.#take('(')) {
      const inner = this.#choice()
      this.#expect(')')
      return inner
    }
    const token = this.#peek()
    this.#at += 1
    if (token === undefined) throw new Unsayable('its end')
    if (/^[\d.]/.test(token)) return { kind: 'number', value: Number(token) }
    if (token === 'tier') return this.#tier()
    if (token === 'fixed') return this.#fixed()
    const name = VARIABLES.find((known) => known === token)
    if (name === undefined) throw new Unsayable(token)
    this.#variables.add(name)
    return { kind: 'variable', name }
  }

  /** The name of a tier is for people. */
  #tier(): Node {
    this.#expect('(')
    this.#at += 1
    this.#expect(',')
    const price = this.#choice()
    this.#expect(')')
    return price
  }

  #fixed(): Node {
    this.#expect('(')
    const dollars = Number(this.#peek())
    this.#at += 1
    this.#expect(')')
    if (!Number.isFinite(dollars)) throw new Unsayable('fixed')
    return { kind: 'fixed', dollars }
  }

  #peek = (): string | undefined => this.#tokens[this.#at]

  #take(token: string): boolean {
    if (this.#peek() !== token) return false
    this.#at += 1
    return true
  }

  #oneOf<T extends string>(tokens: readonly T[]): T | undefined {
    const found = tokens.find((token) => token === this.#peek())
    if (found !== undefined) this.#at += 1
    return found
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw new Unsayable(this.#peek() ?? 'its end')
  }
}

/** Texts begin with a quote, so that none is taken for a name. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; text.slice(at).trim() !== ''; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) throw new Unsayable(text.slice(at).trim().slice(0, 20))
    const [, number, name, double, single, sign] = match
    tokens.push(number ?? name ?? sign ?? `"${double ?? single ?? ''}`)
    if (tokens.length > MAX_TOKENS) throw new Unsayable('its length')
  }
  return tokens
}

const MILLION = 1_000_000

type Condition = { readonly operator: Comparison; readonly left: { readonly name: Variable }; readonly value: number }

/** A comparison of a number of tokens with a number, in this order. */
function conditionOf({ operator, left, right }: Extract<Node, { kind: 'compare' }>): Condition {
  const isTurned = left.kind === 'number'
  const [variable, number] = isTurned ? [right, left] : [left, right]
  if (variable.kind !== 'variable' || number.kind !== 'number') throw new Unsayable('a condition that compares no count with a number')
  return { operator: isTurned ? TURNED[operator] : operator, left: variable, value: number.value }
}

const TURNED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!=' } as const satisfies Record<Comparison, Comparison>

const HOLDS = {
  '<': (count, value) => count < value,
  '<=': (count, value) => count <= value,
  '>': (count, value) => count > value,
  '>=': (count, value) => count >= value,
  '==': (count, value) => count === value,
  '!=': (count, value) => count !== value,
} as const satisfies Record<Comparison, (count: number, value: number) => boolean>

function holds(node: Node, amounts: Amounts): boolean {
  if (node.kind === 'logic')
    return node.operator === '&&'
      ? holds(node.left, amounts) && holds(node.right, amounts)
      : holds(node.left, amounts) || holds(node.right, amounts)
  if (node.kind !== 'compare') throw new Unsayable('a condition that compares nothing')
  const { operator, left, value } = conditionOf(node)
  return HOLDS[operator](amounts[left.name], value)
}

function conditionsIn(node: Node): Condition[] {
  if (node.kind === 'compare') return [conditionOf(node)]
  if (node.kind === 'choice') return [node.condition, node.met, node.otherwise].flatMap(conditionsIn)
  return node.kind === 'logic' || node.kind === 'arithmetic' ? [node.left, node.right].flatMap(conditionsIn) : []
}

/** The last length of a prompt before another price counts. */
function boundOf({ operator, left, value }: Condition): number {
  if (left.name !== 'len' && left.name !== 'p') throw new Unsayable(`a condition on ${left.name}`)
  if (operator === '==' || operator === '!=') throw new Unsayable(`a condition with ${operator}`)
  if (!Number.isSafeInteger(Math.ceil(value))) throw new Unsayable(`a bound of ${value}`)
  return operator === '<' || operator === '>=' ? Math.ceil(value) - 1 : Math.floor(value)
}

const promptOf = (length: number): Amounts => ({ p: length, len: length, c: 0, cr: 0, cc: 0, cc1h: 0, img: 0, ai: 0, ao: 0 })

/** The part of the expression that prices this request. */
function chosen(node: Node, amounts: Amounts): Node {
  if (node.kind === 'arithmetic') return { ...node, left: chosen(node.left, amounts), right: chosen(node.right, amounts) }
  if (node.kind !== 'choice') return node
  return chosen(holds(node.condition, amounts) ? node.met : node.otherwise, amounts)
}

/** A price of the call is `fixed`, and a number alone is a millionth of a dollar. */
type Linear = { readonly dollars: Coefficients; readonly fixed: number; readonly number: number }

const callOf = ({ fixed, number }: Linear): number => fixed + number / MILLION

/** A sum of counts with a price each, and of a price of the call. */
function linear(node: Node): Linear {
  const none = { dollars: new Map<Variable, number>(), fixed: 0, number: 0 }
  switch (node.kind) {
    case 'number':
      return { ...none, number: node.value }
    case 'fixed':
      return { ...none, fixed: node.dollars }
    case 'variable':
      if (node.name === 'len') throw new Unsayable('a price of len')
      return { ...none, dollars: new Map([[node.name, 1]]) }
    case 'arithmetic':
      return combined(node.operator, linear(node.left), linear(node.right))
    default:
      throw new Unsayable('a condition within a price')
  }
}

function combined(operator: '+' | '-' | '*' | '/', left: Linear, right: Linear): Linear {
  if (operator === '+') return added(left, right, 1)
  if (operator === '-') return added(left, right, -1)
  const [factor, priced] = isNumber(right) || operator === '/' ? [right, left] : [left, right]
  if (!isNumber(factor) || (operator === '/' && factor.number === 0)) throw new Unsayable('a product of counts')
  const by = operator === '*' ? factor.number : 1 / factor.number
  const dollars = new Map([...priced.dollars].map(([name, price]) => [name, price * by]))
  return { dollars, fixed: priced.fixed * by, number: priced.number * by }
}

const isNumber = ({ dollars, fixed }: Linear): boolean => dollars.size === 0 && fixed === 0

function added(left: Linear, right: Linear, sign: 1 | -1): Linear {
  const dollars = new Map(left.dollars)
  for (const [name, price] of right.dollars) dollars.set(name, (dollars.get(name) ?? 0) + sign * price)
  return { dollars, fixed: left.fixed + sign * right.fixed, number: left.number + sign * right.number }
}

type Band = PriceExpression['bands'][number]

function isSameBand(left: Band, right: Band | undefined): boolean {
  if (right === undefined || left.call !== right.call || left.dollars.size !== right.dollars.size) return false
  return [...left.dollars].every(([name, price]) => right.dollars.get(name) === price)
}
