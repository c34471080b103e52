export type Kind = 'code' | 'comment' | 'string'

/** A piece of one source line. */
export type Segment = { readonly kind: Kind; readonly text: string; readonly line: number }

type State = { kind: Kind; end: string }

/** A slash after one of these starts a regular expression, not a division. */
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|throw|await|yield))\s*$/
const REGEXP = /^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/

/** Splits TypeScript, JavaScript or JSON with comments into code, comments and strings. An unclosed quote ends with its line. */
export function segmentsOfScript(source: string): Segment[] {
  const out = new Collector()
  /** One entry per open template literal: how many braces are open inside its `${`. */
  const templates: number[] = []
  let state: State = { kind: 'code', end: '' }
  let at = 0
  while (at < source.length) {
    const char = source[at] ?? ''
    if (char === '\n') {
      out.newLine()
      if (state.end === '\n' || state.end === "'" || state.end === '"') state = { kind: 'code', end: '' }
      at += 1
    } else if (state.kind === 'code') {
      const opened = openingAt(source, at, out.codeBefore())
      if (opened.state !== undefined) {
        state = opened.state
        if (state.end === '`') templates.push(0)
      } else if (templates.length > 0 && (char === '{' || char === '}')) {
        const open = (templates.at(-1) ?? 0) + (char === '{' ? 1 : -1)
        templates[templates.length - 1] = open
        if (open < 0) {
          templates[templates.length - 1] = 0
          state = { kind: 'string', end: '`' }
        } else out.add('code', char)
      } else out.add(opened.isString ? 'string' : 'code', source.slice(at, at + opened.length))
      at += opened.length
    } else if (state.kind === 'string' && char === '\\') {
      // An escaped line break still counts as a line.
      if (source[at + 1] === '\n') at += 1
      else {
        out.add('string', ' ')
        at += 2
      }
    } else if (state.end === '`' && source.startsWith('${', at)) {
      state = { kind: 'code', end: '' }
      out.break()
      at += 2
    } else if (source.startsWith(state.end, at)) {
      at += state.end.length
      if (state.end === '`') templates.pop()
      state = { kind: 'code', end: '' }
      out.break()
    } else {
      out.add(state.kind, char)
      at += 1
    }
  }
  return out.segments
}

type Opening = { readonly state?: State; readonly length: number; readonly isString?: boolean }

function openingAt(source: string, at: number, before: string): Opening {
  const char = source[at] ?? ''
  if (char === "'" || char === '"' || char === '`') return { state: { kind: 'string', end: char }, length: 1 }
  if (char !== '/') return { length: 1 }
  if (source.startsWith('//', at)) return { state: { kind: 'comment', end: '\n' }, length: 2 }
  if (source.startsWith('/*', at)) return { state: { kind: 'comment', end: '*/' }, length: 2 }
  const regexp = BEFORE_REGEXP.test(before) ? REGEXP.exec(source.slice(at, at + 2000)) : null
  return regexp === null ? { length: 1 } : { length: regexp[0].length, isString: true }
}

class Collector {
  readonly segments: Segment[] = []
  private line = 1
  private kind: Kind = 'code'
  private text = ''
  private code = ''

  add(kind: Kind, text: string): void {
    if (kind !== this.kind) this.break()
    this.kind = kind
    this.text += text
    if (kind === 'code') this.code = (this.code + text).slice(-20)
  }

  /** The end of the code so far. */
  codeBefore(): string {
    return this.code
  }

  break(): void {
    if (this.text.trim() !== '') this.segments.push({ kind: this.kind, text: this.text, line: this.line })
    // After a string a slash is a division.
    if (this.kind === 'string') this.code = 'x'
    this.text = ''
  }

  newLine(): void {
    this.break()
    this.line += 1
    this.code = ''
  }
}

/** Splits a language with line comments: everything after the mark is comment, quoted text on one line is string. */
export function segmentsOfLines(source: string, mark: '#' | '--'): Segment[] {
  const comment = mark === '#' ? /(^|\s)#.*$/ : /--.*$/
  return source.split('\n').flatMap((text, index) => {
    const line = index + 1
    const found = comment.exec(text)
    const code = found === null ? text : text.slice(0, found.index)
    const strings = [...code.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) => match[1] ?? match[2] ?? '')
    return [
      { kind: 'code', text: code.replaceAll(/'[^']*'|"[^"]*"/g, ' '), line } as const,
      ...strings.map((string) => ({ kind: 'string', text: string, line }) as const),
      { kind: 'comment', text: found?.[0] ?? '', line } as const,
    ]
  })
}

/** Splits Markdown: fenced blocks are code, everything else is text. */
export function segmentsOfMarkdown(source: string): Segment[] {
  let isFenced = false
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(?:```|~~~)/.test(text)) {
      isFenced = !isFenced
      return []
    }
    return [{ kind: isFenced ? 'code' : 'comment', text, line: index + 1 } as const]
  })
}
