import type { JsonObject } from '../../../json.ts'
import { OutputItem } from './output-item.ts'

/** Reasoning: paragraphs of a summary, and the signature for later turns. */
export class ReasoningItem extends OutputItem {
  readonly #paragraphs: string[][] = []
  #isOpen = false
  #proof: string | undefined

  write(text: string): void {
    if (!this.#isOpen) this.#openParagraph()
    this.#paragraphs.at(-1)?.push(this.context.budget.take(text))
    this.context.emit({ type: 'response.reasoning_summary_text.delta', ...this.#at(), delta: text })
  }

  /** Ends the open paragraph. */
  closeParagraph(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const text = this.#paragraphs.at(-1)?.join('') ?? ''
    this.context.emit({ type: 'response.reasoning_summary_text.done', ...this.#at(), text })
    this.context.emit({ type: 'response.reasoning_summary_part.done', ...this.#at(), part: { type: 'summary_text', text } })
  }

  prove(proof: string): void {
    this.#proof = proof
  }

  protected toJson(status: string): JsonObject {
    const summary = this.#paragraphs.map((pieces) => ({ type: 'summary_text', text: pieces.join('') }))
    const proof = this.#proof === undefined ? {} : { encrypted_content: this.#proof }
    return { id: this.context.id, type: 'reasoning', status, summary, ...proof }
  }

  protected end(): void {
    this.closeParagraph()
  }

  #openParagraph(): void {
    this.#paragraphs.push([])
    this.#isOpen = true
    this.context.emit({ type: 'response.reasoning_summary_part.added', ...this.#at(), part: { type: 'summary_text', text: '' } })
  }

  #at(): JsonObject {
    return { ...this.here, summary_index: this.#paragraphs.length - 1 }
  }
}
