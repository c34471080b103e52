import type { LucideIcon } from 'lucide-react'

export type PaletteItem = {
  readonly id: string
  readonly label: string
  readonly detail?: string
  /** Further names: the other language, pinyin and its initials. */
  readonly alias?: string
  readonly icon: LucideIcon
} & (
  | { readonly run: () => void }
  /** Goes on in the palette: what to type before the name of the thing. */
  | { readonly typed: string }
)
export type PaletteGroup = { readonly label: string; readonly items: readonly PaletteItem[] }

/** Every word of the query begins a word of the label, its detail or its alias, or occurs in the label; in any order. */
export function narrow(groups: readonly PaletteGroup[], query: string): readonly PaletteGroup[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const fits = ({ label, detail = '', alias = '' }: PaletteItem): boolean => {
    const shown = `${label} ${detail}`.toLowerCase()
    const others = alias.toLowerCase().split(' ')
    return words.every((word) => shown.includes(word) || others.some((other) => other.startsWith(word)))
  }
  return groups.map((group) => ({ ...group, items: group.items.filter(fits) })).filter((group) => group.items.length > 0)
}

export const VERBS = ['test', 'disable', 'enable', 'user'] as const
export type Verb = (typeof VERBS)[number]

/** The verbs as they are typed in English and in pinyin; the first is what a command writes. */
const TYPED: Readonly<Record<Verb, readonly string[]>> = {
  test: ['test', 'ceshi', 'cs'],
  disable: ['disable', 'jinyong', 'jy'],
  enable: ['enable', 'qiyong', 'qy'],
  user: ['user', 'yonghu', 'yh'],
}
/** Words allowed between the verb and the name. */
const NOUNS = ['channel', 'token', 'to']

export const typedVerb = (verb: Verb): string => `${TYPED[verb][0]} `

/** `test openai` asks for channels to test; without a verb everything is asked for. `local` are the verbs of the reader's language. */
export function parseQuery(
  query: string,
  local: Partial<Record<Verb, readonly string[]>> = {},
): { readonly verb: Verb | undefined; readonly name: string } {
  const text = query.trim()
  const lower = text.toLowerCase()
  for (const verb of VERBS) {
    // A Chinese verb needs no blank before the name.
    const typed = [...TYPED[verb].map((word) => `${word} `), ...(local[verb] ?? [])].find((word) => lower.startsWith(word))
    if (typed === undefined) continue
    const rest = text.slice(typed.length).trim()
    const [first = '', ...others] = rest.split(/\s+/)
    return { verb, name: NOUNS.includes(first.toLowerCase()) && others.length > 0 ? others.join(' ') : rest }
  }
  return { verb: undefined, name: text }
}

/** `#12` and `12` are ids. */
export function idOf(name: string): number | undefined {
  const digits = /^#?(\d{1,15})$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** True for a text that looks like the id of a request: long, without blanks, with a digit. */
export function isRequestId(name: string): boolean {
  return /^[\w-]{16,64}$/.test(name) && /\d/.test(name)
}
