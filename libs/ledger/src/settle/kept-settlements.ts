import type { SettleInput, SettleResult } from '../client/types.ts'

export type Counted = Extract<SettleResult, { readonly n: number }>

/** A settlement, what Redis answered, and when, by the keeper's clock. */
export type Kept = { readonly input: SettleInput; readonly answer: Counted; readonly at: number }

type Block = { readonly bytes: Buffer; used: number; newest_at: number; /** What is older is forgotten. */ since: number }

const BLOCK = 1024 * 1024
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
  /** One is filled while another one is forgotten. More of them would stay as they were needed once, in a burst. */
  #spare: Buffer | undefined

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  add({ input, answer, at }: Kept): void {
    const text = `${encodeLine({ input, answer, at })}\n${input.body}\n`
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
    if (block?.bytes.length === BLOCK) this.#spare = block.bytes
  }

  has(requestId: string): boolean {
    const start = `[${JSON.stringify(requestId)},`
    return this.#blocks.some(({ bytes, used }) => bytes.subarray(0, used).includes(start))
  }

  #room(most: number): Buffer {
    const spare = most <= BLOCK ? this.#spare : undefined
    if (spare === undefined) return Buffer.allocUnsafeSlow(Math.max(BLOCK, most))
    this.#spare = undefined
    return spare
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
    const one = decodeLine(bytes.toString('utf8', at, head), () => bytes.toString('utf8', head + 1, end))
    if (one.at >= since) kept.push(one)
    at = end + 1
  }
  return kept
}

/** A list, whose names need not be written and read again. */
type Line = readonly [
  request_id: string,
  at: number,
  shard: number,
  user_id: number,
  token_id: number,
  charge: number,
  wallet_held: number,
  token_held: number,
  epoch: number,
  success_window_ms: number,
  limits: NonNullable<SettleInput['limits']> | null,
  kind: Counted['kind'],
  n: number,
  answered_epoch: number,
]

function encodeLine({ input, answer, at }: Kept): string {
  const line: Line = [
    input.request_id,
    at,
    input.shard,
    input.user_id,
    input.token_id,
    input.charge,
    input.wallet_held,
    input.token_held,
    input.epoch,
    input.success_window_ms,
    input.limits ?? null,
    answer.kind,
    answer.n,
    answer.epoch,
  ]
  return JSON.stringify(line)
}

function decodeLine(text: string, readBody: () => string): Kept {
  const [request_id, at, shard, user_id, token_id, charge, wallet_held, token_held, epoch, success_window_ms, limits, ...answered] =
    JSON.parse(text) as Line // encodeLine wrote it
  const [kind, n, answered_epoch] = answered
  // Required: a new optional field of a settlement does not compile here until the line carries it.
  const input: Required<Omit<SettleInput, 'limits'>> = {
    request_id,
    shard,
    user_id,
    token_id,
    charge,
    wallet_held,
    token_held,
    epoch,
    success_window_ms,
    body: readBody(),
  }
  return {
    input: limits === null ? input : { ...input, limits },
    answer: { kind, n, epoch: answered_epoch },
    at,
  }
}
