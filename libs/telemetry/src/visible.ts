const MAX_LENGTH = 512

// C0, DEL, C1, soft hyphen, Arabic letter mark, zero-width and bidi marks, line and paragraph separators, BOM, interlinear, tags.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu

/**
 * Outside text made safe for a log, a mail, a header or an error: no control or bidirectional characters (each becomes a space),
 * no lone surrogates, at most `max` characters with `…` where it was cut. Never throws.
 */
export function visible(text: unknown, max: number = MAX_LENGTH): string {
  const full = typeof text === 'string' ? text : text === undefined || text === null ? '' : String(text)
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
