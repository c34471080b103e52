/** Where, as whom and how much: all from the environment (`k6 run -e NAME=value`). What each means: README.md. */
const text = (name: string, fallback = ''): string => __ENV[name] || fallback
const amount = (name: string, fallback: number): number => {
  const given = Number(text(name, String(fallback)))
  if (!(given > 0)) throw new Error(`${name} must be a number above 0`)
  return given
}

export const settings = {
  url: text('BASE_URL', 'http://127.0.0.1:3000').replace(/\/+$/, ''),
  username: text('CONSOLE_USERNAME', 'root'),
  password: text('CONSOLE_PASSWORD'),
  accessToken: text('CONSOLE_ACCESS_TOKEN'),
  userId: text('CONSOLE_USER_ID'),
  /** The simulator's address; empty: the deployment's own channels answer. */
  vendorUrl: text('VENDOR_URL').replace(/\/+$/, ''),
  model: text('MODEL'),
  tokens: amount('TOKENS', 12),
  /** Thresholds of time are multiplied by it: small machines. */
  slower: amount('SLOWER', 1),
  /** Length of soak. */
  minutes: amount('MINUTES', 60),
} as const

const LOCAL = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/

/** Load is sent only where somebody said so. */
export function requireAllowedHost(): void {
  const host = settings.url.replace(/^https?:\/\//, '')
  if (LOCAL.test(settings.url) || text('ALLOW_HOST') === host) return
  throw new Error(`${settings.url} is not this machine: load goes there only with ALLOW_HOST=${host}`)
}

/** Money is spent only where somebody said so. */
export function requireAllowedCost(): void {
  if (settings.vendorUrl !== '') return
  if (text('ALLOW_PAID') !== 'yes') {
    throw new Error("without VENDOR_URL the deployment's own vendors answer and are paid: say ALLOW_PAID=yes")
  }
  if (settings.model === '') throw new Error('without VENDOR_URL say which MODEL to ask')
}
