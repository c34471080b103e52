const MAX_LENGTH = 100
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu
const SCHEME = /\b(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|tel:)/gi
/** Between the parts of a host name; the number of a version has no letters behind its dot. */
const HOST_DOT = /(?<=[\p{L}\p{N}-])\.(?=\p{L}{2})/gu

/** A text of a user for a mail: one short line in which no program finds an address to link. */
export function defanged(text: string): string {
  const line = text
    .slice(0, MAX_LENGTH * 4)
    .replaceAll(INVISIBLE, ' ')
    .replaceAll(SCHEME, '')
    .replaceAll(HOST_DOT, '[.]')
    .replaceAll('@', '[at]')
    .trim()
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
