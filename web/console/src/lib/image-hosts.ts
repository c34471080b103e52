import { useSiteStatus } from './status.ts'

/** The other host that an address names; undefined: the image is part of the page or from this server. */
export function otherHostOf(src: string): string | undefined {
  const url = URL.parse(src, window.location.href)
  if (url === null || url.protocol === 'data:' || url.protocol === 'blob:') return undefined
  return url.origin === window.location.origin ? undefined : url.host
}

/** The host of an image that this page may not load: it is neither ours nor one of option ImageHosts. */
export function useBlockedHost(src: string): string | undefined {
  const hosts = useSiteStatus()?.image_hosts ?? []
  const host = otherHostOf(src)
  return host === undefined || matchesHost(host, hosts) ? undefined : host
}

/** True if a host, with its port if that is not the scheme's, is one of the patterns; `*.example.com` is every name below it. */
export const matchesHost = (host: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    const [name, wanted] = [host.toLowerCase(), pattern.toLowerCase()]
    return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted
  })
