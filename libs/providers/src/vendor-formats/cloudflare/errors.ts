import { objectsAt } from '../../json.ts'
import { decodeFlatError } from '../text-only.ts'

/** The first of Workers AI's `errors`. */
export function decodeCloudflareError(status: number, body: unknown) {
  const [error] = objectsAt(body, 'errors')
  return decodeFlatError(status, error ?? body, { code: 'code', message: 'message', statuses: { 10_000: 401 } })
}
