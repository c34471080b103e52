/** True if webhooks may be sent there: https, without a user name and a password. */
export function isWebhookAddress(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}
