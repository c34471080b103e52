import { describe, expect, it } from 'vitest'
import { BodySink } from './body-sink.ts'

const KB = 1024
const bytes = Buffer.from(Array.from({ length: 900 * KB }, (_, at) => at % 251))

function collect(declared: number, pieces: readonly number[]): BodySink {
  const sink = new BodySink(declared, 256 * KB)
  let at = 0
  for (const size of pieces) {
    sink.add(bytes.subarray(at, at + size))
    at += size
  }
  return sink
}

const piecesOf = (total: number, size: number) =>
  Array.from({ length: Math.ceil(total / size) }, (_, at) => Math.min(size, total - at * size))

describe('BodySink', () => {
  it.each([
    ['one piece', 5 * KB, 5 * KB],
    ['small pieces', 50 * KB, 700],
    ['pieces of a body for a worker', 900 * KB, 60 * KB],
    ['pieces of one byte', 40 * KB, 1],
  ])('joins %s, with and without a declared length', (_why, total, size) => {
    for (const declared of [total, 0]) {
      const joined = collect(declared, piecesOf(total, size)).join()
      expect(joined.equals(bytes.subarray(0, total))).toBe(true)
      expect(joined.buffer instanceof SharedArrayBuffer).toBe(total > 256 * KB)
    }
  })

  it('takes memory for what has arrived, not for what was announced', () => {
    const before = process.memoryUsage().arrayBuffers
    const sinks = Array.from({ length: 8 }, () => collect(128 * KB * KB, [1]))

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * KB * KB)
    expect(sinks.map((sink) => sink.join().length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })
})
