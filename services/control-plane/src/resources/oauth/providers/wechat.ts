import { AppError } from '@tollgate/contracts/app-error'
import { callProvider, jsonOf, textIn } from './call.ts'
import { noEmail, type FoundIdentity, type ProviderDeps } from './provider.ts'

/** Asks the configured server whose code this is; it hands codes out in the chat of the site's WeChat account. */
export async function identifyAtWechat(deps: ProviderDeps, code: string): Promise<FoundIdentity> {
  if (code === '') throw new AppError('params.invalid')
  const server = await deps.options.get('WeChatServerAddress')
  const answer = await callProvider(deps, {
    url: `${server}/api/wechat/user?code=${encodeURIComponent(code)}`,
    headers: { accept: 'application/json', authorization: await deps.options.get('WeChatServerToken') },
    unreachable: 'oauth.wechat-unreachable',
  })
  const body = jsonOf(answer)
  if (typeof body['success'] !== 'boolean') throw new AppError('oauth.wechat-unreachable')
  const id = body['success'] ? textIn(body, 'data') : ''
  if (id === '') throw new AppError('register.code')
  return { id, username: '', display_name: 'WeChat User', verifiedEmail: noEmail }
}
