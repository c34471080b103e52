import { Role } from '@tollgate/contracts/enums'
import type { ChannelFields } from '@tollgate/db/queries/channels'
import { headersOf, proxyOf } from './fields.ts'

type Destination = Pick<ChannelFields, 'type' | 'base_url' | 'setting'>

/**
 * Fields whose change sends the stored key to another address. Changing one requires the key in the same request: without it an
 * administrator is refused, and a change by root is recorded in the audit.
 */
export function destinationChanges(before: Destination, patch: Partial<Destination>): string[] {
  return [
    ...(patch.type !== undefined && patch.type !== before.type ? ['type'] : []),
    ...(patch.base_url !== undefined && patch.base_url !== before.base_url ? ['base_url'] : []),
    ...(patch.setting !== undefined && proxyOf(patch.setting) !== proxyOf(before.setting) ? ['proxy'] : []),
    ...(patch.setting !== undefined && headersOf(patch.setting) !== headersOf(before.setting) ? ['header_override'] : []),
  ]
}

export function mayChangeDestination(actor: { readonly role: number }): boolean {
  return actor.role >= Role.root
}
