const MAX_LENGTH = 100
const MAX_NOTICE = 300
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu
const SCHEME = /\b(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|tel:)/gi
/** Between the parts of a host name; the number of a version has no letters behind its dot. */
const HOST_DOT = /(?<=[\p{L}\p{N}-])\.(?=\p{L}{2})/gu

/** A text of a user or vendor for a notice: one short line. */
export const shortLine = (text: string): string =>
  cut(
    text
      .slice(0, MAX_NOTICE * 4)
      .replaceAll(INVISIBLE, ' ')
      .trim(),
    MAX_NOTICE,
  )

/** The same for a mail: shorter, and without anything in which a program finds an address to link. */
export function defanged(text: string): string {
  const line = text
    .slice(0, MAX_LENGTH * 4)
    .replaceAll(INVISIBLE, ' ')
    .replaceAll(SCHEME, '')
    .replaceAll(HOST_DOT, '[.]')
    .replaceAll('@', '[at]')
    .trim()
  return cut(line, MAX_LENGTH)
}

const cut = (line: string, max: number): string =>
  line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
