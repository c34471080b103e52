import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeAll, everyCut, factsOf, replay } from './__fixtures__/replay.ts'

const FOLDER = join(import.meta.dirname, '__fixtures__')
const LARGE = 'chat-large-image.sse'
const fixture = (name: string) => readFileSync(join(FOLDER, name))
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith('.sse'))
/** Data of the events, without frames and comments. */
const dataOf = (text: string) =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice(6))

describe.each(fixtures)('%s', (name) => {
  it('gives the expected facts', () => {
    expect(factsOf(replay([fixture(name)]))).toMatchSnapshot('facts')
    const { events, ending } = decodeAll([fixture(name)])
    const short = events.map((event) => (event.kind === 'image' ? { ...event, data: event.data.length } : event))
    expect({ events: short, ending }).toMatchSnapshot('events')
  })

  it('decodes to the same events, cut at every byte and byte by byte', { timeout: 120_000 }, () => {
    const whole = decodeAll([fixture(name)])
    for (const chunks of everyCut(fixture(name))) expect(decodeAll(chunks), `cut at ${chunks[0]?.length}`).toEqual(whole)
  })

  it.each(['sse', 'array'] as const)('passes the same as %s, cut at every byte and byte by byte', { timeout: 120_000 }, (frame) => {
    const whole = replay([fixture(name)], frame)
    for (const chunks of everyCut(fixture(name))) {
      const cut = replay(chunks, frame)
      const at = `cut at ${chunks[0]?.length}`
      // How much of the end is held back depends on how the bytes arrived; what the client has in the end does not.
      expect(cut.passed + cut.closing, at).toBe(whole.passed + whole.closing)
      if (name !== LARGE) {
        expect(factsOf(cut), at).toEqual(factsOf(whole))
        expect(cut.closing, at).toBe(whole.closing)
      } else {
        const { usage, finish, hasContent } = whole.usageReader.facts
        expect(cut.usageReader.facts, at).toMatchObject({ usage, finish, hasContent })
      }
    }
  })

  it('never shows the finish of the answer before the settlement', () => {
    for (const chunks of everyCut(fixture(name))) {
      const { passed } = replay(chunks)
      for (const data of dataOf(passed).filter((_, index, all) => index < all.length - 1 || passed.endsWith('\n\r\n'))) {
        expect(data).not.toContain('"finishReason"')
      }
    }
  })
})
