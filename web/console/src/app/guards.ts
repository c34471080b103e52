import { redirect } from '@tanstack/react-router'
import { rememberAddress } from '../lib/return-address.ts'
import { isAdmin, session } from '../lib/session.ts'

/** Thrown by `requireAdmin`; the router's error page shows the no-permission page for it. */
export class NoPermission extends Error {
  override readonly name = 'NoPermission'
}

/** Sends a visitor without a stored user to the sign-in page, which leads back here. */
export function requireUser({ location }: { readonly location: { readonly href: string } }): void {
  if (session.user() !== undefined) return
  rememberAddress(location.href)
  throw redirect({ to: '/login' })
}

/** Stops a user below role 10 before any loader runs. `/setting` is where bindings end, so it forwards such a user to the own settings. */
export function requireAdmin({ location }: { readonly location: { readonly pathname: string } }): void {
  if (isAdmin(session.user())) return
  if (location.pathname.startsWith('/setting')) throw redirect({ to: '/personal' })
  throw new NoPermission()
}
