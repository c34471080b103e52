/** Tracks JSON text in pieces and reports when its first object or list is complete. A few bytes of state. */
export class JsonDepth {
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isWhole = false

  get isWhole(): boolean {
    return this.#isWhole
  }

  push(text: string): void {
    for (const character of text) this.#read(character)
  }

  #read(character: string): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') this.#isInString = false
    } else if (character === '"') this.#isInString = true
    else if (character === '{' || character === '[') this.#depth += 1
    else if (character === '}' || character === ']') {
      this.#depth -= 1
      this.#isWhole ||= this.#depth === 0
    }
  }
}
