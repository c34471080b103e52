import { createHmac, timingSafeEqual } from 'node:crypto'

const signatureOf = (task_id: string, secret: string): string =>
  createHmac('sha256', secret).update(`task-notify:${task_id}`).digest('hex').slice(0, 32)

/** The address at which a vendor reports changes of one task; empty while this site has no address. */
export function notifyUrl(address: string, task_id: string, secrets: readonly string[]): string {
  const [secret] = secrets
  if (address === '' || secret === undefined) return ''
  return `${address}/mj/notify?${new URLSearchParams({ task: task_id, sig: signatureOf(task_id, secret) })}`
}

export function isNotifySignature(task_id: string, given: string, secrets: readonly string[]): boolean {
  const bytes = Buffer.from(given)
  return secrets.some((secret) => {
    const expected = Buffer.from(signatureOf(task_id, secret))
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}
