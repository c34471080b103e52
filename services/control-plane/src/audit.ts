import { ownValue } from '@tollgate/contracts/values/own-value'
import type { AuditChange, AuditResource } from '@tollgate/contracts/resources/audit'
import type { Tx } from '@tollgate/db/connect'
import { createAuditEntries } from '@tollgate/db/queries/installation/audit'
import type { Actor } from '@tollgate/http/actor'
import { nowSeconds, type Deps } from './deps.ts'

/** The user behind a change, and the address of the call. What a member does for an organisation is the member’s doing. */
export type By = { readonly actor: Pick<Actor, 'id' | 'username' | 'role' | 'member'>; readonly ip: string }

export type Audited = {
  readonly action: string
  readonly resource: AuditResource
  readonly resource_id: string | number
  readonly changes?: readonly AuditChange[]
}

/** Adds entries to the audit log in the transaction of the change, so that neither exists without the other. */
export async function recordAudit(deps: Pick<Deps, 'now'>, tx: Tx, { actor, ip }: By, entries: readonly Audited[]): Promise<void> {
  const { member } = actor
  const who =
    member === undefined
      ? { actor_id: actor.id, actor_name: actor.username, actor_role: actor.role, organisation_id: null }
      : { actor_id: member.id, actor_name: member.username, actor_role: member.account_role, organisation_id: actor.id }
  const common = { ...who, ip, now: nowSeconds(deps) }
  await createAuditEntries(
    tx,
    entries.map(({ action, resource, resource_id, changes = [] }) => ({
      ...common,
      action,
      resource,
      resource_id: String(resource_id),
      changes,
    })),
  )
}

const MAX_SHOWN = 500

/** A value as the log shows it: as text, cut to 500 characters. */
function shownValue(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
}

/** The fields of `after` that differ from `before`, with those of both values that exist. */
export function changedFields(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): AuditChange[] {
  return Object.entries(after)
    .map(([field, value]) => ({ field, value, old: ownValue(before, field) }))
    .filter(({ value, old }) => JSON.stringify(old) !== JSON.stringify(value))
    .map(({ field, value, old }) => ({
      field,
      ...(old === undefined ? {} : { before: shownValue(old) }),
      ...(value === undefined ? {} : { after: shownValue(value) }),
    }))
}
