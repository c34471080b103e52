const MAX_LENGTH = 512

// Control and format characters (bidi and zero-width marks, BOM, tags), lone surrogates, line and paragraph separators.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** What needs nothing done: printable ASCII with single spaces between. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/**
 * Outside text made safe for a log, a mail, a header or an error: no control or bidirectional characters (each becomes a space),
 * no lone surrogates, at most `max` characters with `…` where it was cut. Never throws.
 */
export function visible(text: string | number | boolean | null | undefined, max: number = MAX_LENGTH): string {
  const full = text === undefined || text === null ? '' : String(text)
  if (full.length <= max && PLAIN.test(full)) return full
  // Cut before cleaning, with some room, so that a megabyte from outside costs as little as a line.
  const clean = full
    .slice(0, max * 4)
    .replace(INVISIBLE, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (clean.length <= max && full.length <= max * 4) return clean
  return `${trimEnd(clean, max - 1)}…`
}

/** Cuts at `length` without leaving half of a character outside the basic plane. */
function trimEnd(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** A CSV cell that a spreadsheet will not take for a formula. */
export function visibleCell(text: string): string {
  return /^[=+\-@\t]/.test(text) ? `'${text}` : text
}
