import type { SettleInput, SettleResult } from './ledger-types.ts'

export type Counted = Extract<SettleResult, { readonly n: number }>

/** A settlement, what Redis answered, and when, by the keeper's clock. */
export type Kept = { readonly input: SettleInput; readonly answer: Counted; readonly at: number }

type Block = { readonly bytes: Buffer; used: number; newest_at: number; /** What is older is forgotten. */ since: number }

const BLOCK = 1024 * 1024
const MOST_SPARE = 8
/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const UNIT_BYTES = 3
const LINE_FEED = 10

/**
 * Settlements in the order in which they were answered, as bytes: seconds of them as objects would live just long enough for the
 * collector to carry each one into its old generation, which cost the relay a quarter of its time. Nobody reads them unless a store
 * comes back.
 *
 * Two lines each: all but the body, and the body, which is JSON without line feeds already.
 */
export class KeptSettlements {
  #blocks: Block[] = []
  readonly #spare: Buffer[] = []

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  add({ input, answer, at }: Kept): void {
    const text = `${JSON.stringify({ input: { ...input, body: '' }, answer, at })}\n${input.body}\n`
    const most = text.length * UNIT_BYTES
    let block = this.#blocks.at(-1)
    if (block === undefined || block.used + most > block.bytes.length) {
      block = { bytes: this.#room(most), used: 0, newest_at: at, since: Number.NEGATIVE_INFINITY }
      this.#blocks.push(block)
    }
    block.used += block.bytes.write(text, block.used)
    block.newest_at = at
  }

  forgetBefore(at: number): void {
    while (this.#blocks[0] !== undefined && this.#blocks[0].newest_at < at) this.forgetFirst()
    if (this.#blocks[0] !== undefined) this.#blocks[0].since = at
  }

  /** Hands everything over to another one. */
  moveTo(other: KeptSettlements): void {
    other.#blocks.push(...this.#blocks)
    this.#blocks = []
  }

  /** The oldest of them, some hundred. */
  first(): Kept[] {
    return this.#blocks[0] === undefined ? [] : read(this.#blocks[0])
  }

  forgetFirst(): void {
    const block = this.#blocks.shift()
    if (block !== undefined && block.bytes.length === BLOCK && this.#spare.length < MOST_SPARE) this.#spare.push(block.bytes)
  }

  has(requestId: string): boolean {
    const name = `"request_id":${JSON.stringify(requestId)}`
    return this.#blocks.some(({ bytes, used }) => bytes.subarray(0, used).includes(name))
  }

  #room(most: number): Buffer {
    return (most <= BLOCK ? this.#spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(Math.max(BLOCK, most))
  }

  inputs(): SettleInput[] {
    return this.#blocks.flatMap(read).map(({ input }) => input)
  }
}

function read({ bytes, used, since }: Block): Kept[] {
  const kept: Kept[] = []
  for (let at = 0; at < used;) {
    const head = bytes.indexOf(LINE_FEED, at)
    const end = bytes.indexOf(LINE_FEED, head + 1)
    const { input, ...rest } = JSON.parse(bytes.toString('utf8', at, head)) as Kept // written above
    if (rest.at >= since) kept.push({ ...rest, input: { ...input, body: bytes.toString('utf8', head + 1, end) } })
    at = end + 1
  }
  return kept
}
