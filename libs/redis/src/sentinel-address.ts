import type { RedisOptions } from 'ioredis'

const SENTINEL_PORT = 26_379
const COMMAND_WITHIN_MS = 2000
const ADDRESS = /^(rediss?)\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]+)\/([^/?#]+)(?:\?(.*))?$/

export const isSentinelAddress = (url: string): boolean => /^rediss?\+sentinel:/.test(url)

/**
 * Options for `redis+sentinel://user:password@h1:26379,h2:26379/name`: the servers are those of Sentinel, user and password those of
 * Redis, and the name is the master's. `?sentinelUsername=` and `?sentinelPassword=` are for Sentinel itself. `rediss+sentinel` uses TLS for both.
 */
export function sentinelOptions(url: string): RedisOptions {
  const [, protocol, username = '', password = '', hosts = '', name = '', query = ''] = ADDRESS.exec(url) ?? []
  if (name === '') throw new Error('an address of Sentinel is redis+sentinel://user:password@host:26379,host:26379/name')
  const own = new URLSearchParams(query)
  return {
    sentinels: hosts.split(',').map(toServer),
    name: decodeURIComponent(name),
    // With ioredis' `failoverDetector` a promotion that is announced while a connection is being made ends that connection for good.
    sentinelCommandTimeout: COMMAND_WITHIN_MS,
    ...filled({ username, password }),
    ...filled({ sentinelUsername: own.get('sentinelUsername') ?? '', sentinelPassword: own.get('sentinelPassword') ?? '' }),
    ...(protocol === 'rediss' ? { tls: {}, enableTLSForSentinelMode: true } : {}),
  }
}

function toServer(text: string): { host: string; port: number } {
  const { hostname, port } = new URL(`redis://${text.trim()}`)
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: port === '' ? SENTINEL_PORT : Number(port) }
}

/** The fields with a text, decoded. */
function filled<K extends string>(fields: Readonly<Record<K, string>>): Partial<Record<K, string>> {
  const given = Object.entries<string>(fields).filter(([, text]) => text !== '')
  return Object.fromEntries(given.map(([name, text]) => [name, decodeURIComponent(text)])) as Partial<Record<K, string>> // a part of its fields
}
