const MAX_LENGTH = 512

// Control and format characters (bidi and zero-width marks, BOM, tags), lone surrogates, line and paragraph separators.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text that is safe as it is: printable ASCII, single spaces. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/**
 * Makes outside text safe for logs, mails, headers and errors: control and bidirectional characters and lone surrogates become
 * spaces, and text over `max` characters is cut with `…`. Never throws.
 */
export function visible(text: string | number | boolean | null | undefined, max: number = MAX_LENGTH): string {
  const full = text === undefined || text === null ? '' : String(text)
  if (full.length <= max && PLAIN.test(full)) return full
  // Cut before cleaning, so that a megabyte of text costs as little as a line.
  const clean = full
    .slice(0, max * 4)
    .replace(INVISIBLE, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (clean.length <= max && full.length <= max * 4) return clean
  return `${trimEnd(clean, max - 1)}…`
}

/** Cuts at `length` without splitting a surrogate pair. */
function trimEnd(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/**
 * Beginning that makes a spreadsheet read a cell as a formula: the signs, also in full width, behind all that it trims or does not show. A
 * line break or tab at the beginning moves the rest to a cell of its own.
 */
const FORMULA = /^(?:[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r\n])/u

/** Escapes a CSV cell that a spreadsheet would read as a formula. */
export function visibleCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
