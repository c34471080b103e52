import { performance } from 'node:perf_hooks'
import { TEMPLATES, type ChatFormat } from './formats.ts'
import type { ResponseSpec } from './response-spec.ts'

/** A stream that receives chunks at a fixed rate. */
export type PacedStream = {
  left: number
  /** False if the socket is full or closed: the chunk is dropped. */
  write(framed: Buffer): boolean
  finish(): void
}

const STAMP = 16
const MAX_SLOTS = 100
const MIN_TICK_MS = 4

/** Encodes one HTTP chunk. */
export function frame(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

/** Text of `size` bytes that begins with `@` and the monotonic clock in microseconds, which all processes of a machine share, if it fits. */
export function stampedText(size: number): string {
  if (size < STAMP + 2) return 'word '.repeat(Math.ceil(size / 5)).slice(0, size)
  const stamp = String(Math.round(Number(process.hrtime.bigint() / 1000n))).padStart(STAMP, '0')
  return `@${stamp} ${'words of a stream '.repeat(Math.ceil(size / 18)).slice(0, Math.max(0, size - STAMP - 2))}`
}

/**
 * All streams of one response spec, distributed over the slots of a period so that chunks are sent evenly. Each slot's chunk is built once
 * for all of its streams. Missed ticks are caught up, so the mean rate is kept on a busy core.
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
  #nextSlot = 0

  constructor(spec: ResponseSpec, format: ChatFormat) {
    const period = 1000 / spec.hz
    const slots = Math.max(1, Math.min(MAX_SLOTS, Math.floor(period / MIN_TICK_MS)))
    this.#tickMs = period / slots
    this.#slots = Array.from({ length: slots }, () => new Set<PacedStream>())
    this.#render = () => frame(TEMPLATES[format].chunk(stampedText(spec.size)))
  }

  add(stream: PacedStream): () => void {
    const slot = this.#slots[this.#nextSlot % this.#slots.length]
    if (slot === undefined) throw new Error('a pace has at least one slot')
    this.#nextSlot += 1
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
      if (slot !== undefined && slot.size > 0) this.#send(slot)
    }
  }

  #send(slot: Set<PacedStream>): void {
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
