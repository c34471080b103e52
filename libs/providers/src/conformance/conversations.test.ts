import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChatFormat } from '../chat/request.ts'
import { listEvents } from './events.ts'
import {
  answerFile,
  hashOf,
  createTranslator,
  readFixture,
  readThrough,
  refuseThrough,
  renderFailure,
  requestFile,
  sendThrough,
  streamThrough,
  type Cell,
} from './cell.testing.ts'
import { CASE_NAMES, CASES, CHAT_FORMATS, type Case, type CaseName } from './cases.ts'
import { warningsOf } from './warnings.ts'
import { meaningOfStream, meaningOfWhole } from './meaning.ts'

/**
 * Every client format against every vendor format, in every case: what the vendor and the client receive equals the reviewed snapshot,
 * keeps its meaning, and gives exactly the declared warnings. `npm run conformance` writes the matrix from it.
 */
declare module 'vitest' {
  interface TaskMeta {
    cell?: {
      client: ChatFormat
      vendor: ChatFormat
      case: CaseName
      golden: string
      hash: string
      cannot: { warnings: string; why: string }[]
    }
  }
}

const cells = CHAT_FORMATS.flatMap((client) => CHAT_FORMATS.map((vendor): Cell => ({ client, vendor })))

describe.each(cells)('$client to $vendor', (cell) => {
  it.for(CASE_NAMES)('%s', async (name, { task }) => {
    const found = CASES[name]
    const golden = join('__snapshots__', cell.client, cell.vendor, `${name.replaceAll(' ', '-')}.txt`)
    const run = new Run(cell, found)
    const text = run.all()
    const declared = warningsOf(name, cell.client, cell.vendor)
    task.meta.cell = {
      ...cell,
      case: name,
      golden: `libs/providers/src/conformance/${golden}`,
      hash: hashOf([...run.used, Buffer.from(text)]),
      cannot: declared.map(({ warnings, why }) => ({ warnings, why })),
    }

    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, golden))
    expect([...run.warnings].toSorted(), 'what is lost').toEqual(declared.map(({ warnings }) => warnings).toSorted())
  })
})

class Run {
  readonly used: Buffer[] = []
  readonly warnings = new Set<string>()
  readonly #cell: Cell
  readonly #case: Case
  readonly #request: Buffer

  constructor(cell: Cell, found: Case) {
    this.#cell = cell
    this.#case = found
    this.#request = this.#use(requestFile(cell.client, found.request))
  }

  all(): string {
    const { answers, errors = [], broken = [] } = this.#case
    const sections = [
      ...this.#sent(),
      ...answers.flatMap((name) => [...this.#whole(name), ...this.#streamed(name)]),
      ...errors.flatMap((status) => this.#refused(status)),
      ...broken.flatMap((name) => this.#streamed(name)),
    ]
    return sections.join('\n')
  }

  get #isSame(): boolean {
    return this.#cell.client === this.#cell.vendor
  }

  #sent(): string[] {
    const { body, warnings, media } = sendThrough(this.#cell, createTranslator(this.#cell, this.#request, false))
    this.#warn(warnings)
    if (this.#isSame) expect(body.toString()).toBe(this.#request.toString())
    return ['# request', ...media.map((url) => `fetched: ${url}`), this.#isSame ? 'the client’s bytes' : pretty(body.toString()), '']
  }

  #whole(name: string): string[] {
    const given = this.#use(`${answerFile(this.#cell.vendor, name)}.json`)
    const read = readThrough(createTranslator(this.#cell, this.#request, false), given)
    if (read.kind === 'failed') return [`# ${name}: failed`, pretty(renderFailure(this.#cell, read.failure)), '']
    this.#warn(read.warnings)
    if (this.#isSame) expect(read.bytes.toString()).toBe(given.toString())
    else
      expect(meaningOfWhole(this.#cell.client, JSON.parse(read.bytes.toString()))).toEqual(
        meaningOfWhole(this.#cell.vendor, JSON.parse(given.toString())),
      )
    return [`# ${name}`, this.#isSame ? 'the vendor’s bytes' : pretty(read.bytes.toString()), '']
  }

  #streamed(name: string): string[] {
    const given = this.#use(`${answerFile(this.#cell.vendor, name)}.sse`)
    const streamed = streamThrough(this.#cell, createTranslator(this.#cell, this.#asStream(), true), [given])
    this.#warn(streamed.warnings)
    const bytes = Buffer.concat([streamed.passed, streamed.closing])
    const isSameFormat = this.#isSame && streamed.error === undefined
    if (isSameFormat) expect(bytes.toString()).toBe(given.toString())
    else if (streamed.error === undefined)
      expect(meaningOfStream(this.#cell.client, bytes)).toEqual(meaningOfStream(this.#cell.vendor, given))
    else
      expect(meaningOfStream(this.#cell.client, Buffer.concat([bytes, Buffer.from(streamed.error)]))).toMatchObject({
        failed: true,
        finish: undefined,
      })
    return [
      `# ${name} as a stream: ${streamed.ending}`,
      ...(isSameFormat ? ['the vendor’s bytes'] : listEvents(streamed.passed)),
      ...(streamed.error === undefined ? ['-- settled --'] : ['-- failed --', ...listEvents(Buffer.from(streamed.error))]),
      ...(isSameFormat ? [] : listEvents(streamed.closing)),
      '',
    ]
  }

  #refused(status: number): string[] {
    const given = this.#use(`${answerFile(this.#cell.vendor, `error.${status}`)}.json`)
    const refused = refuseThrough(this.#cell, createTranslator(this.#cell, this.#request, false), status, given)
    expect(refused.status).toBe(status)
    return [`# answered ${status}`, pretty(refused.body), '']
  }

  /** The request with streaming turned on; Gemini does that in the path. */
  #asStream(): Buffer {
    if (this.#cell.client === 'gemini') return this.#request
    const body: unknown = JSON.parse(this.#request.toString())
    const usage = this.#cell.client === 'openai-chat' ? { stream_options: { include_usage: true } } : {}
    return Buffer.from(JSON.stringify(Object.assign({}, body, { stream: true }, usage)))
  }

  #use(file: string): Buffer {
    const content = readFixture(file)
    this.used.push(content)
    return content
  }

  #warn(warnings: readonly string[]): void {
    for (const entry of warnings) this.warnings.add(entry)
  }
}

const pretty = (json: string): string => JSON.stringify(JSON.parse(json), undefined, 2)
