import { AppError } from '@tollgate/contracts/app-error'
import { renderFailure } from '@tollgate/http/envelope'
import { languageOf } from '@tollgate/http/language'
import { hostnameOf, isSameHost, isUnregistrableName } from '@tollgate/http/origin'
import type { Context, MiddlewareHandler } from 'hono'
import { readClient } from './client.ts'
import type { Deps } from './deps.ts'

type HostDeps = Pick<Deps, 'env' | 'now' | 'options'>

/** How long a page under an unknown host name waits for a new ServerAddress. */
const KEEP_MS = 1000

/** The host names and origins under which the console is served. */
export type OwnHosts = {
  has(hostname: string): Promise<boolean>
  /** True if a page of this origin is the console itself. */
  isOwnOrigin(c: Context, origin: URL): Promise<boolean>
}

export function createOwnHosts(deps: HostDeps): OwnHosts {
  const { PUBLIC_URL, ALLOWED_HOSTS } = deps.env
  let address = ''
  let readAt = Number.NEGATIVE_INFINITY
  const serverAddress = async (): Promise<string> => {
    if (deps.now() - readAt < KEEP_MS) return address
    address = await deps.options.get('ServerAddress')
    readAt = deps.now()
    return address
  }
  const configured = async (): Promise<URL[]> =>
    [PUBLIC_URL, await serverAddress()].map((text) => URL.parse(text)).filter((url) => url !== null)
  return {
    has: async (hostname) => {
      if (isUnregistrableName(hostname) || isListed(hostname, ALLOWED_HOSTS)) return true
      return (await configured()).some((url) => hostnameOf(url.host) === hostname)
    },
    isOwnOrigin: async (c, origin) => {
      if (isSameHost(origin, readClient(deps, c).host) || isListed(hostnameOf(origin.host), ALLOWED_HOSTS)) return true
      return (await configured()).some((url) => url.host === origin.host)
    },
  }
}

/** `gate.example` lists one name, `.gate.example` also every name below it, `*` all. */
function isListed(hostname: string, list: readonly string[]): boolean {
  return list.some((entry) => {
    const name = entry.toLowerCase()
    return name === '*' || name === hostname || (name.startsWith('.') && (hostname.endsWith(name) || hostname === name.slice(1)))
  })
}

/**
 * Refuses calls and pages under a host name that is not ours, against DNS rebinding. Until set-up every name is served, because the address
 * is not known yet. A call with an Authorization header passes: a page of another site has no token.
 */
export function hostCheck(deps: HostDeps, isSetUp: () => Promise<boolean>, hosts: OwnHosts): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.header('authorization') === undefined && (await isRefusedHost(deps, c, isSetUp, hosts))) {
      const { status, body } = renderFailure(new AppError('guard.host'), languageOf(c.req.header('accept-language')))
      return c.req.path.startsWith('/api') ? c.json(body, status as 421) : c.text(body.message, status as 421) // the row's own status
    }
    return await next()
  }
}

async function isRefusedHost(deps: HostDeps, c: Context, isSetUp: () => Promise<boolean>, hosts: OwnHosts): Promise<boolean> {
  const hostname = hostnameOf(readClient(deps, c).host)
  if (isUnregistrableName(hostname)) return false
  try {
    return (await isSetUp()) && !(await hosts.has(hostname))
  } catch {
    // Without Postgres nothing can be read or changed; each call reports that itself.
    return false
  }
}
