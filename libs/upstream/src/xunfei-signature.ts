import { createHmac } from 'node:crypto'
import type { PreparedCall } from './call.ts'

/**
 * The path of a call with the query that signs it, for the last two parts of a key `APPID|APISecret|APIKey`.
 * https://www.xfyun.cn/doc/spark/general_url_authentication.html (2026-11-24)
 */
export function signedXunfeiPath(
  { origin, path }: Pick<PreparedCall, 'origin' | 'path'>,
  { secret, name }: { readonly secret: string; readonly name: string },
  now_ms: number,
): string {
  const { host } = new URL(origin)
  const date = new Date(now_ms).toUTCString()
  const signed = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`
  const signature = createHmac('sha256', secret).update(signed).digest('base64')
  const credential = `api_key="${name}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const query = new URLSearchParams({ authorization: Buffer.from(credential).toString('base64'), date, host })
  return `${path}?${query.toString().replaceAll('+', '%20')}`
}
