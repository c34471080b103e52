import { performance } from 'node:perf_hooks'
import { TEMPLATES, type ChatFormat } from './formats.ts'
import type { ResponseSpec } from './response-spec.ts'

/** A stream that is given its chunks by the clock. */
export type PacedStream = {
  left: number
  /** False: it is full or gone; the chunk is dropped and the stream goes on. */
  write(framed: Buffer): boolean
  finish(): void
}

const STAMP = 16
const MAX_SLOTS = 100
const LEAST_TICK_MS = 4

/** One HTTP chunk. */
export function frame(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

/** Text of `size` bytes that begins with `@` and the monotonic clock in microseconds, which every process of a machine shares. */
export function stampedText(size: number): string {
  const stamp = String(Math.round(Number(process.hrtime.bigint() / 1000n))).padStart(STAMP, '0')
  return `@${stamp} ${'words of a stream '.repeat(Math.ceil(size / 18)).slice(0, Math.max(0, size - STAMP - 2))}`
}

/**
 * All streams of one plan. They are spread over the slots of a period, so that the chunks leave evenly; each slot's chunk is built once
 * for all of its streams. Whatever the timer missed is made up for, so that the mean rate holds on a busy core.
 */
export class Pace {
  readonly #slots: Set<PacedStream>[]
  readonly #tickMs: number
  readonly #render: () => Buffer
  #next = 0
  #at = 0
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined
  #count = 0
  #place = 0

  constructor(spec: ResponseSpec, format: ChatFormat) {
    const period = 1000 / spec.hz
    const slots = Math.max(1, Math.min(MAX_SLOTS, Math.floor(period / LEAST_TICK_MS)))
    this.#tickMs = period / slots
    this.#slots = Array.from({ length: slots }, () => new Set<PacedStream>())
    this.#render = () => frame(TEMPLATES[format].chunk(stampedText(spec.size)))
  }

  add(stream: PacedStream): () => void {
    const slot = this.#slots[this.#place % this.#slots.length]
    if (slot === undefined) throw new Error('a pace has at least one slot')
    this.#place += 1
    slot.add(stream)
    this.#count += 1
    this.#run()
    return () => {
      if (slot.delete(stream)) this.#count -= 1
    }
  }

  #run(): void {
    if (this.#timer !== undefined) return
    this.#startedAt = performance.now()
    this.#at = 0
    this.#timer = setInterval(() => this.#tick(), this.#tickMs)
  }

  #tick(): void {
    if (this.#count === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const due = Math.floor((performance.now() - this.#startedAt) / this.#tickMs)
    for (; this.#at < due; this.#at += 1) {
      const slot = this.#slots[this.#next]
      this.#next = (this.#next + 1) % this.#slots.length
      if (slot !== undefined && slot.size > 0) this.#give(slot)
    }
  }

  #give(slot: Set<PacedStream>): void {
    const chunk = this.#render()
    for (const stream of slot) {
      stream.write(chunk)
      stream.left -= 1
      if (stream.left > 0) continue
      slot.delete(stream)
      this.#count -= 1
      stream.finish()
    }
  }
}
