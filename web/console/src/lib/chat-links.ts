import { cherryConfig } from '@tollgate/domain/clients/cherry-studio'
import type { ChatLink } from './storage.ts'

export type NamedChat = { readonly id: number; readonly name: string; readonly template: string }

/** The chats of the site by their place in the list. An entry has one name and one template. */
export function namedChats(chats: readonly ChatLink[] | undefined): readonly NamedChat[] {
  return (chats ?? []).flatMap((entry, id) => {
    const [first] = Object.entries(entry)
    return first === undefined ? [] : [{ id, name: first[0], template: first[1] }]
  })
}

type Filling = { readonly key: string; readonly address: string }

/**
 * The address to open: `{key}` is the token with `sk-`, `{address}` the encoded address of the site, `{cherryConfig}` what Cherry Studio
 * imports. Undefined: no address that may be opened.
 */
export function chatAddress(template: string, { key, address }: Filling): string | undefined {
  const filled = template
    .replaceAll('{cherryConfig}', () => cherryConfig({ key: `sk-${key}`, address }))
    .replaceAll('{address}', encodeURIComponent(address))
    .replaceAll('{key}', `sk-${key}`)
  const scheme = URL.parse(filled)?.protocol
  return scheme === undefined || RUNS_HERE.has(scheme) ? undefined : filled
}

/** Addresses that would run on our own origin. */
const RUNS_HERE: ReadonlySet<string> = new Set(['javascript:', 'data:', 'blob:', 'vbscript:', 'about:', 'file:'])

/** Pages can be framed; the links of installed applications can only be opened. */
export const isFramable = (address: string): boolean => /^https?:/i.test(address)
