const LF = 0x0a
const CR = 0x0d

/**
 * Finds the ends of events in the bytes of a `text/event-stream`, however the chunks are cut: an event ends after an empty line, a line
 * after CR LF, LF or CR. Keeps three booleans of state.
 */
export class EventBoundaries {
  #isLineEmpty = true
  #isAfterCr = false
  #endedOnCr = false

  /**
   * The offsets in this chunk after which an event is complete. If the previous chunk ended an event with a CR and this one starts with
   * its LF, the LF still belongs to that event: `0` is never an offset, and `lead` is 1.
   */
  scan(chunk: Uint8Array): { readonly lead: 0 | 1; readonly ends: readonly number[] } {
    const size = chunk.length
    const lead = this.#endedOnCr && chunk[0] === LF ? 1 : 0
    if (size > 0) this.#endedOnCr = false
    const ends: number[] = []
    // Local variables, because every byte of every stream passes here.
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
        // The LF of a CR LF belongs to the event.
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
