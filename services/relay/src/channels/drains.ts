/** Counts the answers of each channel that are read on after their client disconnected. */
export class Drains {
  readonly #open = new Map<number, number>()

  /** False: the channel has `max` of them. */
  take(channel_id: number, max: number): boolean {
    const open = this.#open.get(channel_id) ?? 0
    if (open >= max) return false
    this.#open.set(channel_id, open + 1)
    return true
  }

  give(channel_id: number): void {
    const open = this.#open.get(channel_id) ?? 0
    if (open <= 1) this.#open.delete(channel_id)
    else this.#open.set(channel_id, open - 1)
  }
}
