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
    const size = chunk.length
    const lead = this.#endedOnCr && chunk[0] === LF ? 1 : 0
    if (size > 0) this.#endedOnCr = false
    const ends: number[] = []
    // In locals: every byte of every stream comes through here.
    let isLineEmpty = this.#isLineEmpty
    let isAfterCr = lead === 0 && this.#isAfterCr
    for (let index = lead; index < size; index += 1) {
      const start = index
      let byte = chunk[index]
      while (byte !== LF && byte !== CR && index < size) byte = chunk[(index += 1)]
      if (index > start) isLineEmpty = isAfterCr = false
      if (index === size) break
      if (byte === LF && isAfterCr) {
        isAfterCr = false
        continue
      }
      isAfterCr = byte === CR
      if (isLineEmpty) {
        // The LF of a CR LF is part of the end.
        if (isAfterCr && chunk[index + 1] === LF) {
          index += 1
          isAfterCr = false
        }
        this.#endedOnCr = isAfterCr && index === size - 1
        ends.push(index + 1)
      }
      isLineEmpty = true
    }
    this.#isLineEmpty = isLineEmpty
    this.#isAfterCr = isAfterCr
    return { lead, ends }
  }
}
