/** A part of a Markdown text that can be rendered alone. `code` is a fence that is too long to be coloured. */
export type Block = {
  readonly kind: 'markdown' | 'code'
  readonly text: string
  /** Where it begins in the whole text. */
  readonly start: number
  /** Lines of an earlier block that this one needs again: the head of a long table. */
  readonly head: string
}

/** Characters after which a list, a table or a run of lines is cut where it can be. */
const LONG = 4_000
/** Characters after which a fence is shown without colours. */
const LONG_CODE = 12_000

/** Markdown cut at empty lines outside of fences, and in long lists and tables. */
export function blocksOf(text: string): readonly Block[] {
  return cutFrom(text, 0, '')
}

/** The blocks of a text that may have grown: all but the last are as before. */
export function grownBlocks(before: { readonly text: string; readonly blocks: readonly Block[] }, text: string): readonly Block[] {
  const last = before.blocks.at(-1)
  if (last === undefined || !text.startsWith(before.text)) return blocksOf(text)
  const cut = cutFrom(text, last.start, last.head)
  return [...before.blocks.slice(0, -1), ...cut.slice(0, -1).map((block) => ({ ...block, text: copyOf(block.text) })), ...cut.slice(-1)]
}

/** A string of its own. A slice of a string keeps the whole of it in memory, here one version of the answer for each block. */
const copyOf = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

function cutFrom(text: string, from: number, firstHead: string): readonly Block[] {
  const blocks: Block[] = []
  let [start, at, head] = [from, from, firstHead]
  let fence: string | undefined
  let [hasText, isAfterEmpty] = [false, false]
  const cut = (nextHead: string): void => {
    blocks.push(blockOf(text, { start, end: at, head }))
    start = at
    head = nextHead
    hasText = false
  }
  while (at < text.length) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isEmpty = line.trim() === ''
    if (fence === undefined && hasText && !isEmpty) {
      if (isAfterEmpty && !CONTINUES.test(line)) cut('')
      else if (at - start > LONG && canCut(line, isAfterEmpty)) cut(line.startsWith('|') ? tableHead(head + text.slice(start, at)) : '')
    }
    if (mark !== undefined) fence = fence === undefined ? mark : line.trim().startsWith(fence) ? undefined : fence
    hasText ||= !isEmpty
    isAfterEmpty = isEmpty
    at = end
  }
  if (hasText) cut('')
  return blocks
}

/** Lines of a list or a quote belong to what is above them. */
const CONTINUES = /^(\s|[-*+>]|\d+[.)])/
/** The rows of a table, the items of a list, and lines of their own after an empty one. */
const canCut = (line: string, isAfterEmpty: boolean): boolean => /^(\||[-*+] |\d+[.)] )/.test(line) || (isAfterEmpty && !/^\s/.test(line))

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline + 1
}

/** The names and the line below them, where the text begins with a table. */
function tableHead(text: string): string {
  return /^\|[^\n]*\n\|[ :|-]+\n/.exec(text)?.[0] ?? ''
}

function blockOf(whole: string, { start, end, head }: { readonly start: number; readonly end: number; readonly head: string }): Block {
  const text = head + whole.slice(start, end)
  const isCode = text.length > LONG_CODE && /^ {0,3}(`{3,}|~{3,})/.test(text)
  return { kind: isCode ? 'code' : 'markdown', text, start, head }
}

export type Section = { readonly kind: Block['kind']; readonly start: number; readonly texts: readonly string[] }

/** Characters after which a section ends. */
const SECTION = 2_000

/** Blocks that are laid out together. A text that grows changes its last section only. */
export function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: { kind: Block['kind']; start: number; texts: string[] }[] = []
  let size = 0
  for (const { kind, start, text } of blocks) {
    const last = sections.at(-1)
    if (last === undefined || size >= SECTION || kind === 'code' || last.kind === 'code') {
      sections.push({ kind, start, texts: [text] })
      size = 0
    } else last.texts.push(text)
    size += text.length
  }
  return sections
}

/** Characters that are drawn in one frame. */
const PER_FRAME = 4_000

/** How many blocks are drawn one frame later. */
export function nextCount(blocks: readonly Block[], count: number): number {
  let characters = 0
  let next = count
  while (next < blocks.length && characters < PER_FRAME) {
    characters += blocks[next]?.text.length ?? 0
    next += 1
  }
  return next
}

/** The code of a fence without its marks. */
export function codeOf(fence: string): string {
  const body = fence.slice(fence.indexOf('\n') + 1)
  return body.replace(/\n {0,3}(`{3,}|~{3,})\s*$/, '\n')
}

/** Code in pieces of whole lines, each small enough to be laid out alone. */
export function codePieces(code: string, size: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < code.length;) {
    const end = at + size >= code.length ? code.length : lineEnd(code, at + size)
    pieces.push(code.slice(at, end))
    at = end
  }
  return pieces
}
