/** Settings from the environment (`k6 run -e NAME=value`); README.md explains them. */
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
  /** The simulator's address; empty if the deployment's own channels are used. */
  vendorUrl: text('VENDOR_URL').replace(/\/+$/, ''),
  model: text('MODEL'),
  tokens: amount('TOKENS', 12),
  /** Multiplies the time limits, for small machines. */
  slower: amount('SLOWER', 1),
  /** Duration of the soak profile. */
  minutes: amount('MINUTES', 60),
} as const

const LOCAL = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/

/** Throws unless BASE_URL is this machine or ALLOW_HOST names it. */
export function requireAllowedHost(): void {
  const host = settings.url.replace(/^https?:\/\//, '')
  if (LOCAL.test(settings.url) || text('ALLOW_HOST') === host) return
  throw new Error(`${settings.url} is not this machine: set ALLOW_HOST=${host} to allow load on it`)
}

/** Throws unless the simulator is used or ALLOW_PAID is set. */
export function requireAllowedCost(): void {
  if (settings.vendorUrl !== '') return
  if (text('ALLOW_PAID') !== 'yes') {
    throw new Error("without VENDOR_URL the deployment's own vendors are used and paid: set ALLOW_PAID=yes to allow it")
  }
  if (settings.model === '') throw new Error('without VENDOR_URL set MODEL')
}
