/** Fences and spans of code, whose dollars and brackets are their own. */
const CODE = /(^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\2[^\n]*$|(?![\s\S]))|(`+)(?!`)[\s\S]*?[^`]\3(?!`))/m

const SPACED = /\\\[([\s\S]+?)\\\]|^[ \t]*\$\$([^\n$]+)\$\$[ \t]*$/gm
/** One dollar is a formula only without spaces inside its dollars and without a digit after it, so that prices stay prices. */
const INLINE = /\\\((.+?)\\\)|(?<![\\$\w])\$(?![\s$])([^$\n]*?[^\s$\\])\$(?![\d$])/g

/** True if a text may hold formulas; only then the code that draws them is fetched. */
export const mayHaveMath = (text: string): boolean => text.includes('$') || text.includes('\\(') || text.includes('\\[')

/** The ways models write formulas as the one that is read: two dollars, and for a formula of its own on lines of their own. */
export function withDollars(text: string): string {
  let rest = text
  let done = ''
  for (;;) {
    const code = CODE.exec(rest)
    if (code === null) return done + outsideCode(rest)
    done += outsideCode(rest.slice(0, code.index)) + code[0]
    rest = rest.slice(code.index + code[0].length)
  }
}

function outsideCode(text: string): string {
  const spaced = text.replace(
    SPACED,
    (_, bracketed?: string, dollared?: string) => `\n\n$$\n${(bracketed ?? dollared ?? '').trim()}\n$$\n\n`,
  )
  // Text between two dollars already is left alone.
  return spaced
    .split(/(\$\$[\s\S]*?\$\$)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(INLINE, (_, bracketed?: string, dollared?: string) => `$$${(bracketed ?? dollared ?? '').trim()}$$`),
    )
    .join('')
}
