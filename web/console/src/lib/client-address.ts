/** Where clients send their requests: the configured address, else the one this page came from. */
export function clientAddress(configured: string | undefined, origin: string): string {
  const address = configured === undefined || configured === '' ? origin : configured
  return address.replace(/\/+$/, '')
}
