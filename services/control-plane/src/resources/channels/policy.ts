import { Role } from '@tollgate/contracts/enums'
import type { ChannelFields } from '@tollgate/db/queries/channels'
import { headersOf, proxyOf } from './fields.ts'

type Route = Pick<ChannelFields, 'type' | 'base_url' | 'setting'>

/**
 * Fields whose change sends the stored key to somebody else (`architecture.md` section 22.3). Whoever changes one must know the
 * key: without it in the same request an administrator is refused, and root's change is written down.
 */
export function redirections(before: Route, patch: Partial<Route>): string[] {
  return [
    ...(patch.type !== undefined && patch.type !== before.type ? ['type'] : []),
    ...(patch.base_url !== undefined && patch.base_url !== before.base_url ? ['base_url'] : []),
    ...(patch.setting !== undefined && proxyOf(patch.setting) !== proxyOf(before.setting) ? ['proxy'] : []),
    ...(patch.setting !== undefined && headersOf(patch.setting) !== headersOf(before.setting) ? ['header_override'] : []),
  ]
}

export function mayRedirect(actor: { readonly role: number }): boolean {
  return actor.role >= Role.root
}
