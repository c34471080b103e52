/**
 * Markdown in pieces that can be rendered alone, cut at empty lines outside of fences: while an answer streams, only its last piece
 * changes.
 */
export function blocksOf(text: string): readonly string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence: string | undefined
  const cut = (): void => {
    if (lines.some((line) => line.trim() !== '')) blocks.push(lines.join('\n'))
    lines = []
  }
  for (const line of text.split('\n')) {
    const isInside = fence !== undefined
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === undefined ? mark : line.trim().startsWith(fence) ? undefined : fence
    // Lines of a list or a quote belong to what is above them.
    const isNew = !isInside && lines.at(-1)?.trim() === '' && line.trim() !== '' && !/^(\s|[-*+>]|\d+[.)])/.test(line)
    if (isNew) cut()
    lines.push(line)
  }
  cut()
  return blocks
}
