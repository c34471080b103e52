import { isObject } from '../json.ts'
import type { ModelRequest } from './model-request.ts'

/** The part of a request's facts that is read from its prompt. */
export type PromptFacts = Pick<ModelRequest, 'texts' | 'tool_texts' | 'extra_tokens' | 'classes'>

/** How a part that is not text counts in a prompt. */
export type Media = 'image' | 'audio' | 'file'

/** Media is not measured before the call: these are typical sizes in tokens, so that the hold is of the right order. */
export const AUDIO_TOKENS = 100
export const FILE_TOKENS = 5000

/** Collects what counts as the prompt of one request. Strings are referenced, never copied. */
export class PromptCounter {
  readonly texts: string[] = []
  readonly tool_texts: string[] = []
  extra_tokens: number
  cache_write = false
  cache_write_1h = false
  #audio = false
  #images = false

  /** `extra_tokens`: tokens of the frame around the whole prompt. */
  constructor(extra_tokens: number) {
    this.extra_tokens = extra_tokens
  }

  /** Adds a text, if it is one and not empty; `tokens` are added with it. */
  addText(text: unknown, tokens = 0): void {
    if (typeof text !== 'string' || text === '') return
    this.texts.push(text)
    this.extra_tokens += tokens
  }

  addToolText(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.tool_texts.push(text)
  }

  /** Adds a value that the vendor receives as JSON: a schema, the arguments of a call. */
  addToolJson(value: unknown): void {
    if (isObject(value)) this.tool_texts.push(JSON.stringify(value))
  }

  addMedia(media: Media, tokens: number): void {
    this.extra_tokens += tokens
    if (media === 'image') this.#images = true
    else if (media === 'audio') this.#audio = true
  }

  facts(): PromptFacts {
    const { texts, tool_texts, extra_tokens, cache_write, cache_write_1h } = this
    const classes = { audio: this.#audio, images: this.#images, cache_write, ...(cache_write_1h ? { cache_write_1h } : {}) }
    return { texts, tool_texts, extra_tokens, classes }
  }
}
