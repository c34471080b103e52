import { AppError } from '@tollgate/contracts/app-error'
import { callProvider, idIn, isOk, isRecord, jsonOf, textIn } from './call.ts'
import type { Code, FoundIdentity, ProviderDeps } from './provider.ts'

const unreachable = 'oauth.github-unreachable'

export async function githubPage(
  { options, env }: ProviderDeps,
  { state, challenge }: { readonly state: string; readonly challenge: string },
): Promise<string> {
  const query = { client_id: await options.get('GitHubClientId'), state, scope: 'user:email', ...pkceOf(challenge) }
  return `${env.GITHUB_URL}/login/oauth/authorize?${new URLSearchParams(query).toString()}`
}

const pkceOf = (challenge: string) => ({ code_challenge: challenge, code_challenge_method: 'S256' })

/** The numeric id identifies the person: a login name can be renamed and taken by another. */
export async function identifyAtGithub(deps: ProviderDeps, { code, verifier }: Code): Promise<FoundIdentity> {
  const token = await callProvider(deps, {
    method: 'POST',
    url: `${deps.env.GITHUB_URL}/login/oauth/access_token`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_id: await deps.options.get('GitHubClientId'),
      client_secret: await deps.options.get('GitHubClientSecret'),
      code,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
    }),
    unreachable,
  })
  const headers = { accept: 'application/json', authorization: `Bearer ${textIn(jsonOf(token), 'access_token')}` }
  const answer = await callProvider(deps, { url: `${deps.env.GITHUB_API_URL}/user`, headers, unreachable })
  const user = jsonOf(answer)
  const id = idIn(user, 'id')
  if (!isOk(answer) || id === '' || textIn(user, 'login') === '') throw new AppError('oauth.github-empty')
  return { id, username: '', display_name: textIn(user, 'name') || 'GitHub User', verifiedEmail: () => findVerifiedEmail(deps, headers) }
}

async function findVerifiedEmail(deps: ProviderDeps, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await callProvider(deps, { url: `${deps.env.GITHUB_API_URL}/user/emails`, headers, unreachable })
  const list = isOk(answer) ? listOf(answer.body) : []
  const primary = list.filter(isRecord).find((entry) => entry['primary'] === true && entry['verified'] === true)
  return primary === undefined ? '' : textIn(primary, 'email')
}

function listOf(body: Buffer): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    // Not JSON: no address is known.
    return []
  }
}
