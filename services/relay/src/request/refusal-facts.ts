import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'

/** Facts of a refused request for its log row, beside its context. */
export type RefusalFacts = {
  readonly record: TokenRecord
  /** Absent: the body was not read. */
  readonly chat: RefusedChat | undefined
  /** Absent: no group was chosen. */
  readonly group: string | undefined
}

type RefusedChat = { readonly model: string; readonly is_stream: boolean }

/** How far a request has come before it holds money: a refusal is recorded from it, once (ADR 39). */
export class RefusalTrail {
  #record: TokenRecord | undefined
  #chat: RefusedChat | undefined
  #group: string | undefined

  identified(record: TokenRecord | undefined): void {
    this.#record = record
  }

  parsed(chat: RefusedChat): void {
    this.#chat = chat
  }

  admitted(group: string): void {
    this.#group = group
  }

  /** From here on the settlement writes the log row. */
  held(): void {
    this.#record = undefined
    this.#chat = undefined
  }

  /** Returns the facts once; undefined: no token is known, or the refusal has its row. */
  take(): RefusalFacts | undefined {
    const record = this.#record
    if (record === undefined) return undefined
    this.#record = undefined
    return { record, chat: this.#chat, group: this.#group }
  }
}
