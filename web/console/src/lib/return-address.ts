const KEY = 'return-address'

/** Keeps where a visitor wanted to go, for after the sign-in; this tab only, also across the page of another provider. */
export function rememberAddress(href: string): void {
  if (!href.startsWith('/login')) sessionStorage.setItem(KEY, href)
}

/** Where to go after the sign-in. Only an address of this console is followed. */
export function takeAddress(): string {
  const href = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return href !== null && /^\/(?![/\\])/.test(href) ? href : '/token'
}

export function forgetAddress(): void {
  sessionStorage.removeItem(KEY)
}
