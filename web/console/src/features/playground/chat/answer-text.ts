import type { ChatMessage, ToolCall } from './messages.ts'
import type { CallPiece, StreamPart } from './read-stream.ts'

/** Collects what arrives and shows it once per frame: a fast model sends more often than a screen can change. */
export class AnswerText {
  readonly #update: (change: Partial<ChatMessage>) => void
  #content = ''
  #reasoning = ''
  #calls: readonly ToolCall[] = []
  #frame: number | undefined

  constructor(update: (change: Partial<ChatMessage>) => void) {
    this.#update = update
  }

  get isEmpty(): boolean {
    return this.#content === '' && this.#reasoning === '' && this.#calls.length === 0
  }

  add({ content = '', reasoning = '', calls = [] }: StreamPart): void {
    if (content === '' && reasoning === '' && calls.length === 0) return
    this.#content += content
    this.#reasoning += reasoning
    for (const piece of calls) this.#calls = withPiece(this.#calls, piece)
    this.#frame ??= requestAnimationFrame(() => this.flush())
  }

  /** Shows what has arrived since the last frame. */
  flush(): void {
    if (this.#frame === undefined) return
    cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    this.#update({
      status: 'incomplete',
      content: this.#content,
      ...(this.#reasoning === '' ? {} : { reasoning: this.#reasoning }),
      ...(this.#calls.length === 0 ? {} : { calls: this.#calls }),
    })
  }
}

const EMPTY: ToolCall = { id: '', name: '', arguments: '' }

/** The first piece of a call has its id and name, the others have more of its arguments. */
function withPiece(calls: readonly ToolCall[], piece: CallPiece): readonly ToolCall[] {
  const { id, name, arguments: text } = calls[piece.index] ?? EMPTY
  const joined: ToolCall = { id: id + piece.id, name: name + piece.name, arguments: text + piece.arguments }
  return piece.index < calls.length ? calls.with(piece.index, joined) : [...calls, joined]
}
