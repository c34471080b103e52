import { brokenCoding, createContentDecoder, isOverExpanded, unknownCoding, type ContentDecoder } from '@tollgate/outbound/content-coding'
import { OutboundError } from '@tollgate/outbound/errors'

type Events = {
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: OutboundError): void
}

/** The connection that the compressed bytes come from. */
type Source = { pause(): void; resume(): void }

/** Decodes a compressed answer as it arrives. Pauses its source while the decoder or the reader is behind. */
export class AnswerDecoder {
  readonly #coding: string
  readonly #events: Events
  readonly #source: Source
  #decoder: ContentDecoder | undefined
  #produced = 0
  #isPaused = false
  #isFull = false

  constructor(coding: string, events: Events, source: Source) {
    this.#coding = coding
    this.#events = events
    this.#source = source
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#decoder ??= this.#open(chunk[0] ?? 0)
    if (this.#decoder === undefined || this.#decoder.write(chunk) || this.#isFull) return
    this.#isFull = true
    this.#source.pause()
  }

  /** No more bytes will come. */
  end(): void {
    if (this.#decoder === undefined) this.#events.onEnd()
    else this.#decoder.end()
  }

  pause(): void {
    this.#isPaused = true
    this.#decoder?.pause()
    this.#source.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#decoder?.resume()
    if (!this.#isFull) this.#source.resume()
  }

  destroy(): void {
    this.#decoder?.destroy()
  }

  #open(first: number): ContentDecoder | undefined {
    const decoder = createContentDecoder(this.#coding, first)
    if (decoder === undefined) {
      this.#events.onError(unknownCoding())
      return undefined
    }
    decoder.on('data', (chunk: Buffer) => this.#deliver(decoder, chunk))
    decoder.on('drain', () => {
      this.#isFull = false
      if (!this.#isPaused) this.#source.resume()
    })
    decoder.once('end', () => this.#events.onEnd())
    decoder.once('error', (error) => this.#events.onError(brokenCoding(error)))
    if (this.#isPaused) decoder.pause()
    return decoder
  }

  #deliver(decoder: ContentDecoder, chunk: Buffer): void {
    this.#produced += chunk.length
    if (!isOverExpanded(decoder, this.#produced)) return this.#events.onData(chunk)
    decoder.destroy()
    this.#events.onError(new OutboundError('too-large', 'the compressed answer expands too much'))
  }
}
