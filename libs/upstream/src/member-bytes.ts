import { Readable } from 'node:stream'
import { OutboundError } from '@tollgate/outbound/errors'
import type { OpenedStream } from '@tollgate/outbound/open-stream'

/** Most characters from the name of a member to its text: `"name" : "`. */
const MAX_START = 100

type Split = {
  /** The JSON without the texts. */
  readonly rest: string
  /** The first text, as far as it has come. */
  readonly text: string
  readonly hasEnded: boolean
}

/** Separates the texts of the members with one name from a JSON text that arrives in pieces. Holds a piece and 100 characters. */
class MemberSplitter {
  readonly #start: RegExp
  #held = ''
  #isInside = false

  constructor(name: string) {
    this.#start = new RegExp(`"${name}"\\s*:\\s*"`)
  }

  push(piece: Buffer): Split {
    const split = { rest: '', text: '', hasEnded: false }
    let left = this.#held + piece.toString('latin1')
    this.#held = ''
    while (left !== '') left = this.#isInside ? this.#readText(left, split) : this.#readRest(left, split)
    return split
  }

  end(): string {
    return this.#held
  }

  #readText(left: string, split: { text: string; hasEnded: boolean }): string {
    const end = left.indexOf('"')
    if (!split.hasEnded) split.text += end === -1 ? left : left.slice(0, end)
    if (end === -1) return ''
    split.hasEnded = true
    this.#isInside = false
    return left.slice(end)
  }

  #readRest(left: string, split: { rest: string }): string {
    const found = this.#start.exec(left)
    const end = found === null ? Math.max(0, left.length - MAX_START) : found.index + found[0].length
    split.rest += left.slice(0, end)
    if (found === null) this.#held = left.slice(end)
    else this.#isInside = true
    return found === null ? '' : left.slice(end)
  }
}

/** A JSON text in which the members with this name are empty. Throws OutboundError: it is longer than `maxBytes` without them. */
export async function readWithoutMember(body: Readable, name: string, maxBytes: number): Promise<string> {
  const splitter = new MemberSplitter(name)
  let text = ''
  for await (const piece of body as AsyncIterable<Buffer>) {
    text += splitter.push(piece).rest
    if (text.length > maxBytes) throw new OutboundError('too-large', `more than ${maxBytes} bytes`)
  }
  return Buffer.from(text + splitter.end(), 'latin1').toString('utf8')
}

/** Writers of JSON may escape `/` and `=`. */
const ESCAPES: Readonly<Record<string, string>> = { '\\/': '/', '\\u003d': '=', '\\u002f': '/', '\\u002b': '+' }
const ESCAPE = /\\(?:\/|u[\da-f]{4})/gi
const OPEN_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i

/** The bytes of the first member with this name, which are base64, in pieces. */
async function* bytesOf(body: Readable, name: string): AsyncGenerator<Buffer> {
  const splitter = new MemberSplitter(name)
  let held = ''
  for await (const piece of body as AsyncIterable<Buffer>) {
    const { text, hasEnded } = splitter.push(piece)
    const all = held + text
    const open = hasEnded ? all.length : (OPEN_ESCAPE.exec(all)?.index ?? all.length)
    const plain = all.slice(0, open).replaceAll(ESCAPE, (escape) => ESCAPES[escape.toLowerCase()] ?? '')
    const whole = hasEnded ? plain.length : plain.length - (plain.length % 4)
    if (whole > 0) yield Buffer.from(plain.slice(0, whole), 'base64')
    if (hasEnded) return
    held = plain.slice(whole) + all.slice(open)
  }
}

/** An answer of JSON as the bytes of one of its members, of this type; undefined: it has none. The answer is then closed. */
export async function openMember(opened: OpenedStream, name: string, type: string): Promise<OpenedStream | undefined> {
  const pieces = bytesOf(opened.body, name)
  const first = await pieces.next()
  if (first.done === true) {
    opened.body.destroy()
    return undefined
  }
  const all = async function* () {
    yield first.value
    yield* pieces
  }
  const body = Readable.from(all(), { objectMode: false })
  body.once('close', () => opened.body.destroy())
  return { status: opened.status, headers: { 'content-type': type }, body }
}
