import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventBoundaries } from './boundaries.ts'
import { SseDecoder, type SseEvent } from './decoder.ts'
import { encodeSse } from './encoder.ts'

const bytes = (text: string) => Buffer.from(text)

function decode(chunks: readonly Buffer[], max?: number): SseEvent[] {
  const decoder = new SseDecoder(max)
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()]
}

const SAMPLES: readonly (readonly [string, string, readonly SseEvent[]])[] = [
  ['LF', 'data: a\n\ndata: b\n\n', [{ data: 'a' }, { data: 'b' }]],
  ['CR LF', 'data: a\r\n\r\ndata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
  ['CR', 'data: a\r\rdata: b\r\r', [{ data: 'a' }, { data: 'b' }]],
  ['mixed line ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\r\ndata: d\n\n', [{ data: 'a' }, { data: 'b' }, { data: 'c' }, { data: 'd' }]],
  ['a byte order mark', '\u{FEFF}data: a\n\n', [{ data: 'a' }]],
  ['a U+FEFF that is not a byte order mark', 'data: a\n\n\u{FEFF}data: b\n\n', [{ data: 'a' }]],
  ['data over several lines', 'data: a\ndata:\ndata: b\n\n', [{ data: 'a\n\nb' }]],
  ['no space, two spaces', 'data:a\n\ndata:  b\n\n', [{ data: 'a' }, { data: ' b' }]],
  ['comments', ': PING\n\n: one\n: two\ndata: a\n\n', [{ comments: ['PING'] }, { comments: ['one', 'two'], data: 'a' }]],
  ['all fields', 'event: ping\nid: 7\nretry: 3000\ndata: {}\n\n', [{ event: 'ping', id: '7', retry: 3000, data: '{}' }]],
  ['unknown fields', 'foo: bar\ndata: a\nbaz\n\n', [{ data: 'a' }]],
  ['a bad id and a bad retry', 'id: a\0b\nretry: soon\ndata: a\n\n', [{ data: 'a' }]],
  ['empty data', 'data\n\ndata:\n\n', [{ data: '' }, { data: '' }]],
  ['no end', 'data: a\n\ndata: b', [{ data: 'a' }, { data: 'b' }]],
  ['a line end, but no empty line', 'data: a\n', [{ data: 'a' }]],
  ['characters of two, three and four bytes', 'data: ü敏😀\n\ndata: 😀\r\n\r\n', [{ data: 'ü敏😀' }, { data: '😀' }]],
  ['colons in the data', 'data: {"a": "b:c"}\n\n', [{ data: '{"a": "b:c"}' }]],
  ['empty lines before and between', '\n\n\ndata: a\n\n\n\ndata: b\n\n', [{ data: 'a' }, { data: 'b' }]],
  ['nothing', '', []],
]

describe.each(SAMPLES)('a stream with %s', (_, text, events) => {
  it('is read whole', () => {
    expect(decode([bytes(text)])).toEqual(events)
  })

  it('is read the same cut at every byte', () => {
    const whole = bytes(text)
    for (let cut = 0; cut <= whole.length; cut += 1)
      expect(decode([whole.subarray(0, cut), whole.subarray(cut)]), `cut at ${cut}`).toEqual(events)
  })

  it('is read the same byte by byte, with empty chunks between', () => {
    const chunks = [...bytes(text)].flatMap((byte) => [Buffer.of(byte), Buffer.alloc(0)])

    expect(decode(chunks)).toEqual(events)
  })
})

describe('SseDecoder', () => {
  it('returns an event as soon as its empty line arrives', () => {
    const decoder = new SseDecoder()

    expect(decoder.push(bytes('data: a\n'))).toEqual([])
    expect(decoder.push(bytes('\n'))).toEqual([{ data: 'a' }])
  })

  it('does not wait for the LF of a CR LF', () => {
    const decoder = new SseDecoder()

    expect(decoder.push(bytes('data: a\r\n\r'))).toEqual([{ data: 'a' }])
    expect(decoder.push(bytes('\ndata: b\r\n\r\n'))).toEqual([{ data: 'b' }])
  })

  it('stops at an event that exceeds the limit instead of buffering it', () => {
    const decoder = new SseDecoder(100)

    const events = [
      ...decoder.push(bytes('data: a\n\ndata: ')),
      ...decoder.push(bytes('x'.repeat(101))),
      ...decoder.push(bytes('\n\ndata: b\n\n')),
      ...decoder.end(),
    ]

    expect(events).toEqual([{ data: 'a' }])
    expect(decoder.isOverflown).toBe(true)
  })

  it('accepts any number of events within the limit', () => {
    expect(decode([bytes('data: 0123456789\n\n'.repeat(50))], 18)).toHaveLength(50)
  })

  it('does not retain its chunks', () => {
    const decoder = new SseDecoder()
    const chunk = bytes('data: a\n\ndata: part')
    decoder.push(chunk)
    chunk.fill(0)

    expect(decoder.push(bytes(' two\n\n'))).toEqual([{ data: 'part two' }])
  })
})

describe('encodeSse', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, ' '))
  const event = fc.record({
    data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
    event: line,
    id: line.map((text) => text.replaceAll('\0', '')),
    retry: fc.nat(),
  })

  it('is reversed by the decoder', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (events, sizes) => {
        const whole = bytes(events.map(encodeSse).join(''))
        const chunks: Buffer[] = []
        for (let at = 0; at < whole.length;) {
          const size = sizes.next().value ?? 1
          chunks.push(whole.subarray(at, at + size))
          at += size
        }

        expect(decode(chunks)).toEqual(events)
      }),
    )
  })

  it('does not depend on a chunk that is reused', () => {
    const chunk = Buffer.from('data: a')
    const decoder = new SseDecoder()

    decoder.push(chunk)
    chunk.fill(0)

    expect(decoder.push(Buffer.from('b\n\n'))).toEqual([{ data: 'ab' }])
  })

  it('prevents data from injecting fields', () => {
    expect(encodeSse({ event: 'a\ndata: x', data: 'b\r\nevent: y\n\nz' })).toBe(
      'event: a data: x\ndata: b\ndata: event: y\ndata: \ndata: z\n\n',
    )
  })
})

describe('EventBoundaries', () => {
  it('finds the same ends however the stream is cut', () => {
    const piece = fc.constantFrom('\n', '\r', '\r\n', 'a', 'data: b', '\n\n')
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        fc.nat(60),
        (text, cut) => {
          const whole = bytes(text)
          const at = Math.min(cut, whole.length)
          const boundaries = new EventBoundaries()
          const head = boundaries.scan(whole.subarray(0, at))
          const tail = boundaries.scan(whole.subarray(at))
          const ends = [...head.ends, ...tail.ends.map((end) => end + at)]
          if (tail.lead === 1) ends[head.ends.length - 1] = at + 1

          expect(ends).toEqual(new EventBoundaries().scan(whole).ends)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
