/** Browsers by their mark in a User-Agent; the first match counts, since most name others too. */
const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['WeChat', /MicroMessenger\//],
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Version\/[\d.]+ (?:Mobile\/\S+ )?Safari\//],
  ['curl', /^curl\//],
]
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad|iPod/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** The browser and the system that a User-Agent names, as far as they are known; never text of the client. */
export function deviceNameOf(agent: string): string {
  const names = [BROWSERS, SYSTEMS].flatMap((list) => list.find(([, mark]) => mark.test(agent))?.[0] ?? [])
  return names.join(', ')
}
