type Page = { readonly title: string; readonly about: string; readonly parts: readonly string[] }

/** A generated page; `source` says where to edit instead. */
export function page({ title, about, parts }: Page): string {
  return `# ${title}\n\nWritten by \`npm run gen\`; do not edit. ${about}\n\n${parts.join('\n\n')}\n`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

function escapeCell(text: string): string {
  return text === '' ? '–' : text.replaceAll('|', '\\|').replaceAll('\n', ' ⏎ ')
}
