const ADDRESS = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^/?#@]+)\/?$/

export const isClusterAddress = (url: string): boolean => /^rediss?\+cluster:/.test(url)

/** How the nodes of a cluster are reached: the addresses of some of them, and the address of any. */
export type ClusterAddress = {
  /** `host:port` of nodes to begin with. */
  readonly seeds: readonly string[]
  /** Address of a connection to the node at `host:port`, with the user, password and TLS that all nodes share. */
  readonly urlOf: (node: string) => string
}

/** Reads `redis+cluster://user:password@h1:6379,h2:6379`; `rediss+cluster` uses TLS. */
export function parseClusterAddress(url: string): ClusterAddress {
  const [, protocol, credentials = '', hosts = ''] = ADDRESS.exec(url) ?? []
  if (protocol === undefined) throw new Error('an address of a cluster is redis+cluster://user:password@host:6379,host:6379')
  const prefix = `${protocol}://${credentials === '' ? '' : `${credentials}@`}`
  return { seeds: hosts.split(',').map(toNode), urlOf: (node) => prefix + node }
}

function toNode(text: string): string {
  const { hostname, port } = new URL(`redis://${text.trim()}`)
  return `${hostname}:${port === '' ? DEFAULT_PORT : port}`
}

const DEFAULT_PORT = '6379'
