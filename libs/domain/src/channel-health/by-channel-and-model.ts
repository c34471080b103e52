/** A value for each channel and model, made when it is first asked for. */
export class ByChannelAndModel<Value> {
  readonly #values = new Map<string, Value>()
  readonly #make: (channel_id: number, model: string) => Value

  constructor(make: (channel_id: number, model: string) => Value) {
    this.#make = make
  }

  of(channel_id: number, model: string): Value {
    const key = `${channel_id} ${model}`
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const made = this.#make(channel_id, model)
    this.#values.set(key, made)
    return made
  }

  values(): Value[] {
    return [...this.#values.values()]
  }
}
