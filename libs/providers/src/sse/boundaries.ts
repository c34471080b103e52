const LF = 0x0a
const CR = 0x0d

/**
 * Finds where events of a `text/event-stream` end, in bytes, wherever the chunks are cut: an event ends behind an empty line, a
 * line behind CR LF, LF or CR. Never more than three booleans of state.
 */
export class EventBoundaries {
  #isLineEmpty = true
  #isAfterCr = false
  #endedOnCr = false

  /**
   * Offsets in this chunk behind which an event is complete. When the chunk before ended an event with a CR and this one starts
   * with its LF, that LF still belongs to that event: `0` is never an offset, and `lead` says so.
   */
  scan(chunk: Uint8Array): { readonly lead: 0 | 1; readonly ends: readonly number[] } {
    const lead = this.#endedOnCr && chunk[0] === LF ? 1 : 0
    if (chunk.length > 0) this.#endedOnCr = false
    if (lead === 1) this.#isAfterCr = false
    const ends: number[] = []
    for (let index = lead; index < chunk.length; index += 1) {
      const byte = chunk[index]
      if (byte !== LF && byte !== CR) {
        this.#isLineEmpty = false
        this.#isAfterCr = false
      } else if (byte === LF && this.#isAfterCr) {
        this.#isAfterCr = false
      } else {
        const isEnd = this.#isLineEmpty
        this.#isLineEmpty = true
        this.#isAfterCr = byte === CR
        if (isEnd) index = this.#close(chunk, index, ends)
      }
    }
    return { lead, ends }
  }

  /** Notes the end of an event and takes the LF of a CR LF with it. */
  #close(chunk: Uint8Array, index: number, ends: number[]): number {
    const isCr = chunk[index] === CR
    const last = isCr && chunk[index + 1] === LF ? index + 1 : index
    if (last > index) this.#isAfterCr = false
    this.#endedOnCr = isCr && last === index && index === chunk.length - 1
    ends.push(last + 1)
    return last
  }
}
