import { AppError } from '@tollgate/contracts/app-error'
import { visible } from '@tollgate/telemetry/visible'
import { callProvider, formOf, idIn, isOk, jsonOf, textIn } from './call.ts'
import { noEmail, type Code, type FoundIdentity, type ProviderDeps } from './provider.ts'

const unreachable = 'oauth.linuxdo-unreachable'
const MAX_DETAIL = 100

export async function linuxDoPage(
  { options, env }: ProviderDeps,
  { state, redirect_uri }: { state: string; redirect_uri: string },
): Promise<string> {
  const query = { response_type: 'code', client_id: await options.get('LinuxDOClientId'), redirect_uri, state }
  return `${env.LINUX_DO_URL}/oauth2/authorize?${new URLSearchParams(query).toString()}`
}

export async function identifyAtLinuxDo(deps: ProviderDeps, { code, redirect_uri }: Code): Promise<FoundIdentity> {
  if (code === '') throw new AppError('oauth.linuxdo-code')
  const [id, secret] = [await deps.options.get('LinuxDOClientId'), await deps.options.get('LinuxDOClientSecret')]
  const form = formOf({ grant_type: 'authorization_code', code, redirect_uri })
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const granted = await callProvider(deps, {
    method: 'POST',
    url: `${deps.env.LINUX_DO_URL}/oauth2/token`,
    body: form.body,
    headers: { ...form.headers, authorization },
    unreachable,
  })
  const token = jsonOf(granted)
  if (textIn(token, 'access_token') === '') {
    const reason = textIn(token, 'message') || textIn(token, 'error_description') || textIn(token, 'error') || String(granted.status)
    throw new AppError('oauth.linuxdo-token', { detail: visible(reason, MAX_DETAIL) })
  }
  return findUser(deps, textIn(token, 'access_token'))
}

async function findUser(deps: ProviderDeps, token: string): Promise<FoundIdentity> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const answer = await callProvider(deps, { url: `${deps.env.LINUX_DO_URL}/api/user`, headers, unreachable: 'oauth.linuxdo-user' })
  if (!isOk(answer)) throw new AppError('oauth.linuxdo-user')
  const user = jsonOf(answer)
  const id = idIn(user, 'id')
  if (id === '') throw new AppError('oauth.linuxdo-invalid')
  return { id, username: '', display_name: textIn(user, 'name') || textIn(user, 'username'), verifiedEmail: noEmail }
}
