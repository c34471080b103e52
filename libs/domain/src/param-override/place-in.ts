type Place = { readonly line: number; readonly column: number }
type Path = readonly (string | number)[]

/** Where the value at a path begins in a JSON text, or the deepest part of the path that exists. Lines and columns count from 1. */
export function placeIn(text: string, path: Path): Place {
  const scanner = new Scanner(text)
  scanner.seek(path)
  const before = text.slice(0, scanner.at)
  return { line: before.split('\n').length, column: scanner.at - before.lastIndexOf('\n') }
}

/** Walks valid JSON text. */
class Scanner {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
    this.#space()
  }

  /** Moves to the value at a path; stays at the last part that exists. */
  seek(path: Path): void {
    for (const part of path) if (!(typeof part === 'number' ? this.#entry(part) : this.#member(part))) return
  }

  #entry(index: number): boolean {
    const start = this.at
    if (this.#text[this.at] !== '[') return false
    this.#step()
    for (let nth = 0; this.#text[this.at] !== ']' && this.at < this.#text.length; nth += 1) {
      if (nth === index) return true
      this.#value()
      if (this.#text[this.at] === ',') this.#step()
    }
    this.at = start
    return false
  }

  #member(name: string): boolean {
    const start = this.at
    if (this.#text[this.at] !== '{') return false
    this.#step()
    while (this.#text[this.at] === '"') {
      const own = this.#name()
      this.#step()
      if (own === name) return true
      this.#value()
      if (this.#text[this.at] === ',') this.#step()
    }
    this.at = start
    return false
  }

  #name(): string {
    const start = this.at
    this.#value()
    const name: unknown = JSON.parse(this.#text.slice(start, this.at))
    return String(name)
  }

  /** Passes one value and the space after it. */
  #value(): void {
    let depth = 0
    do {
      const token = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/suy
      token.lastIndex = this.at
      const found = token.exec(this.#text)?.[1]
      if (found === undefined) break
      this.at = token.lastIndex
      if (found === '{' || found === '[') depth += 1
      else if (found === '}' || found === ']') depth -= 1
    } while (depth > 0)
    this.#space()
  }

  /** Passes one character and the space after it. */
  #step(): void {
    this.at += 1
    this.#space()
  }

  #space(): void {
    while (/\s/.test(this.#text[this.at] ?? 'x')) this.at += 1
  }
}
