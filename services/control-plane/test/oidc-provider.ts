import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

export type OidcServer = {
  readonly issuer: string
  /** Signs in at the provider's pages, consents, and returns the address that the browser is sent back to. */
  logIn(url: string, login: string): Promise<URL>
  /** Sets the claim `groups` of a person; `withheld`: it has too many values, as Entra ID says. */
  setGroups(login: string, groups: readonly string[] | 'withheld'): void
  stop(): Promise<void>
}

export const OIDC_CLIENT = { client_id: 'tollgate', client_secret: 'a-secret-of-the-client' }

/** A certified OpenID Connect provider, which requires PKCE. Any name that is typed is a person with a verified address. */
export async function startOidcProvider(redirect_uri: string): Promise<OidcServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  const issuer = `http://127.0.0.1:${port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const groupsOf = new Map<string, readonly string[] | 'withheld'>()
  const provider = new Provider(issuer, {
    clients: [{ ...OIDC_CLIENT, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'client_secret_post' }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['for-tests-only'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'groups', 'hasgroups'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        email: `${sub}@oidc.example`,
        email_verified: true,
        name: `Person ${sub}`,
        preferred_username: sub,
        ...(groupsOf.get(sub) === 'withheld' ? { hasgroups: true } : { groups: groupsOf.get(sub) }),
      }),
    }),
  })
  server.on('request', (request, response) => void provider.callback()(request, response))
  return {
    issuer,
    setGroups: (login, groups) => void groupsOf.set(login, groups),
    logIn: (url, login) => walk(new URL(url), { issuer, login }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Follows redirects and submits the login and consent forms until the browser leaves the provider. */
async function walk(start: URL, { issuer, login }: { readonly issuer: string; readonly login: string }): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = start
  let form: URLSearchParams | undefined
  for (let step = 0; step < 20; step += 1) {
    if (at.origin !== issuer) return at
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, {
      method: form === undefined ? 'GET' : 'POST',
      body: form ?? null,
      redirect: 'manual',
      headers: { cookie },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const page = await answer.text()
    const location = answer.headers.get('location')
    if (location === null) {
      const action = /action="([^"]+)"/.exec(page)?.[1]
      if (action === undefined) throw new Error(`the provider shows no form: ${answer.status} ${page.slice(-500)}`)
      form = new URLSearchParams(page.includes('name="login"') ? { prompt: 'login', login, password: 'any' } : { prompt: 'consent' })
      at = new URL(action, at)
    } else {
      form = undefined
      at = new URL(location, at)
    }
  }
  throw new Error('the provider redirects without end')
}
