import { readFileSync, statSync } from 'node:fs'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'

const HOSTS = process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts'
const RESOLV_CONF = '/etc/resolv.conf'

/** The machine's own names: https://man7.org/linux/man-pages/man5/hosts.5.html */
export type HostsFile = ReadonlyMap<string, readonly LookupAddress[]>
/** The part of resolv.conf that c-ares does not apply to single queries: https://man7.org/linux/man-pages/man5/resolv.conf.5.html */
export type SearchList = { readonly domains: readonly string[]; readonly ndots: number }

export type SystemFiles = { hosts(): HostsFile; search(): SearchList }

/** Reads both files again when they have changed. */
export function createSystemFiles(paths: { readonly hosts: string; readonly resolvConf: string } = DEFAULTS): SystemFiles {
  return { hosts: whenChanged(paths.hosts, parseHosts), search: whenChanged(paths.resolvConf, parseSearch) }
}

const DEFAULTS = { hosts: HOSTS, resolvConf: RESOLV_CONF }

/** How often a file is looked at. */
const EVERY_MS = 5000

function whenChanged<T>(path: string, parse: (text: string) => T): () => T {
  let lookedAt = Number.NEGATIVE_INFINITY
  let version = ''
  let value = parse('')
  return () => {
    if (performance.now() - lookedAt < EVERY_MS) return value
    lookedAt = performance.now()
    try {
      const { mtimeMs, size } = statSync(path)
      if (version === `${mtimeMs} ${size}`) return value
      version = `${mtimeMs} ${size}`
      // Synchronous, because the threads of asynchronous reads may all wait for names.
      value = parse(readFileSync(path, 'utf8'))
    } catch {
      value = parse('')
    }
    return value
  }
}

function linesOf(text: string): string[][] {
  return text.split('\n').map((line) => (line.split(/[#;]/)[0] ?? '').trim().split(/\s+/))
}

export function parseHosts(text: string): HostsFile {
  const found = new Map<string, LookupAddress[]>()
  for (const [address = '', ...names] of linesOf(text)) {
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const known = found.get(key)
      if (known === undefined) found.set(key, [{ address, family }])
      else if (!known.some((one) => one.address === address)) known.push({ address, family })
    }
  }
  return found
}

const MAX_NDOTS = 15

export function parseSearch(text: string): SearchList {
  let domains: readonly string[] = []
  let ndots = 1
  for (const [word, ...rest] of linesOf(text)) {
    if (word === 'search') domains = rest
    else if (word === 'domain') domains = rest.slice(0, 1)
    else if (word === 'options') {
      const given = rest.find((option) => option.startsWith('ndots:'))
      if (given !== undefined) ndots = Math.min(MAX_NDOTS, Number.parseInt(given.slice('ndots:'.length), 10) || 0)
    }
  }
  return { domains: domains.map((domain) => domain.toLowerCase().replace(/\.$/, '')).filter((domain) => domain !== ''), ndots }
}

/** The names to query for a name, in order: with the domains of the list first if it has few dots. */
export function namesToTry(name: string, { domains, ndots }: SearchList): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const longer = domains.map((domain) => `${name}.${domain}`)
  return name.split('.').length - 1 >= ndots ? [name, ...longer] : [...longer, name]
}
