import type { SettleInput, SettleResult } from '../client/types.ts'

export type Counted = Extract<SettleResult, { readonly n: number }>

/** A settlement, Redis' answer, and its time by the queue's clock. */
export type Kept = { readonly input: SettleInput; readonly answer: Counted; readonly at: number }

type Block = { readonly bytes: Buffer; used: number; newest_at: number; /** Older entries are skipped. */ since: number }

const BLOCK = 1024 * 1024
/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const UNIT_BYTES = 3
const LINE_FEED = 10

/**
 * Settlements in the order of their answers, stored as bytes. As objects they would live long enough to be promoted to V8's old
 * generation, which cost the relay a quarter of its CPU time. They are read only when a store comes back. Those that are added again
 * with their first time follow newer ones.
 *
 * Two lines each: all fields but the body, and the body, which is JSON without line feeds.
 */
export class KeptSettlements {
  #blocks: Block[] = []
  /** One block fills while the oldest is dropped. More spares would only keep the memory of a past burst. */
  #spare: Buffer | undefined

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  add({ input, answer, at }: Kept): void {
    const text = `${encodeLine({ input, answer, at })}\n${input.body}\n`
    const maxBytes = text.length * UNIT_BYTES
    let block = this.#blocks.at(-1)
    if (block === undefined || block.used + maxBytes > block.bytes.length) {
      block = { bytes: this.#allocate(maxBytes), used: 0, newest_at: at, since: Number.NEGATIVE_INFINITY }
      this.#blocks.push(block)
    }
    block.used += block.bytes.write(text, block.used)
    block.newest_at = Math.max(block.newest_at, at)
  }

  forgetBefore(at: number): void {
    while (this.#blocks[0] !== undefined && this.#blocks[0].newest_at < at) this.forgetFirst()
    if (this.#blocks[0] !== undefined) this.#blocks[0].since = at
  }

  /** Moves all entries to another instance. */
  moveTo(other: KeptSettlements): void {
    other.#blocks.push(...this.#blocks)
    this.#blocks = []
  }

  /** The entries of the oldest block, some hundred. */
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

  #allocate(bytes: number): Buffer {
    const spare = bytes <= BLOCK ? this.#spare : undefined
    if (spare === undefined) return Buffer.allocUnsafeSlow(Math.max(BLOCK, bytes))
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

/** A tuple, so that no field names are written and parsed. */
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
  budgets: string | null,
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
    input.budgets ?? null,
    answer.kind,
    answer.n,
    answer.epoch,
  ]
  return JSON.stringify(line)
}

function decodeLine(text: string, readBody: () => string): Kept {
  const [
    request_id,
    at,
    shard,
    user_id,
    token_id,
    charge,
    wallet_held,
    token_held,
    epoch,
    success_window_ms,
    limits,
    budgets,
    ...answered
  ] = JSON.parse(text) as Line // encodeLine is the only writer
  const [kind, n, answered_epoch] = answered
  // Required: a new optional field of a settlement does not compile here until the line carries it.
  const input: Required<Omit<SettleInput, 'limits' | 'budgets'>> = {
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
    input: { ...input, ...(limits === null ? {} : { limits }), ...(budgets === null ? {} : { budgets }) },
    answer: { kind, n, epoch: answered_epoch },
    at,
  }
}
