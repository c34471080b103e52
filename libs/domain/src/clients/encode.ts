import type { CodeLanguage, System } from './client.ts'

/** A string of a POSIX shell. */
export const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A string of PowerShell, which also ends it at typographic quotes. */
export const inPowerShell = (text: string): string => `'${text.replace(/['\u2018-\u201B]/g, '$&$&')}'`

/** A string of JSON, TOML, YAML, Python and JavaScript: JSON's escapes, and those that TOML and YAML ask for. */
export const inQuotes = (text: string): string => JSON.stringify(text).replace(UNPRINTABLE, toEscape)

/** DEL, the C1 controls, line separators, the byte order mark and noncharacters. */
const UNPRINTABLE = /[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g

const toEscape = (character: string): string => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0')

/** JSON with two spaces of indentation. */
export const inJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** A value of a .env file, which has no escapes: in quotes that it does not contain, single ones first because they expand nothing. */
export function inDotenv(text: string): string {
  if (/^[\w.:/@+~-]*$/.test(text)) return text
  const quote = ["'", '`', '"'].find((mark) => !text.includes(mark)) ?? ''
  return quote + text + quote
}

type Shell = {
  readonly language: CodeLanguage
  readonly text: (text: string) => string
  readonly assign: (name: string, value: string) => string
}

/** The usual shell of a system. */
export const SHELLS: Readonly<Record<System, Shell>> = {
  unix: { language: 'shell', text: inShell, assign: (name, value) => `export ${name}=${inShell(value)}` },
  windows: { language: 'powershell', text: inPowerShell, assign: (name, value) => `$env:${name} = ${inPowerShell(value)}` },
}

/** A path below the home folder, as the system's users write it. */
export const homePath = (system: System, path: string): string =>
  system === 'windows' ? String.raw`%USERPROFILE%\ `.trimEnd() + path.replaceAll('/', '\\') : `~/${path}`
