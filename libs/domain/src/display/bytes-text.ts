const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** A size in steps of 1024, at most one decimal: `512 B`, `1.5 MB`. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** step).toFixed(1))} ${UNITS[step] ?? 'B'}`
}
