import { AppError } from '@tollgate/contracts/app-error'
import { MAX_BUDGETS, type BudgetInput } from '@tollgate/contracts/pricing/budgets'
import type { BudgetChange, NewBudget } from '@tollgate/contracts/resources/budgets'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import {
  createBudget,
  createWindow,
  findBudget,
  listBudgetsOf,
  lockGroupBudgets,
  lockBudget,
  removeBudget,
  sumSince,
  updateBudget,
  type BudgetOwner,
  type BudgetPatch,
  type BudgetRow,
} from '@tollgate/db/queries/tokens/budgets'
import { lockToken, touchToken } from '@tollgate/db/queries/tokens/tokens'
import { lockUser, touchUser } from '@tollgate/db/queries/users/users'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { windowAt } from '@tollgate/domain/budgets/window'
import type { Actor } from '@tollgate/http/actor'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged, type Changed } from '../../internal/ledger-sync.ts'
import { publishAfter } from '../../internal/snapshot-publisher.ts'
import { getOwner, maySet } from './owner.ts'

type Call = By & { readonly actor: Actor }

/** Sets a budget. What its owner has spent in the running window counts, by the hourly sums; a group's counts from now on. */
export async function createOwnerBudget(
  deps: Deps,
  by: Call,
  { token_id, user_id, project_id, member_id, group, ...input }: NewBudget,
): Promise<{ id: number }> {
  if (input.window === 'week' && input.start_day > 7) throw new AppError('budgets.start-day')
  const owner = await getOwner(deps.db, by.actor, { token_id, user_id, project_id, member_id, group })
  if (!maySet(by.actor, { ...owner, is_by_member: true })) throw new AppError('budgets.not-own')
  if (group !== '' && !Object.hasOwn(await deps.options.get('GroupRatio'), group)) throw new AppError('record.missing')
  let id = 0
  await change(deps, owner, async (tx) => {
    const { token_name: _, ...of } = owner
    id = await addBudgetIn(deps, tx, by, { owner: of, input })
  })
  return { id }
}

/** The same in the transaction of the caller, who has locked the owner. */
export async function addBudgetIn(
  deps: Pick<Deps, 'now'>,
  tx: Tx,
  by: By,
  { owner, input }: { readonly owner: BudgetOwner; readonly input: BudgetInput },
): Promise<number> {
  const others = await listBudgetsOf(tx, owner)
  if (others.length >= MAX_BUDGETS) throw new AppError('budgets.many', { count: MAX_BUDGETS })
  if (others.some((other) => other.window === input.window)) throw new AppError('budgets.window-taken')
  const now = nowSeconds(deps)
  // Windows of five hours begin with an hour, so that the hourly sums tell what was spent in the first.
  const starts_at = now - (now % HOUR_SECONDS)
  const id = await createBudget(tx, { ...owner, ...input, ...setBy(by), starts_at, created_at: now, updated_at: now })
  const { scope, ...parts } = owner
  if (scope !== 'group') {
    const { start, end } = windowAt({ ...input, starts_at }, now)
    const base = await sumSince(tx, { ...parts, from: start })
    const { user_id, token_id } = owner
    await createWindow(tx, { budget_id: id, user_id, token_id, window_start: start, window_end: end, base })
  }
  await audit(deps, tx, by, { id, owner, action: 'create', before: {}, after: input })
  return id
}

export async function changeBudget(deps: Deps, by: Call, id: number, { seen_at, ...patch }: BudgetChange): Promise<void> {
  const owner = await getOwnerOf(deps, by.actor, id)
  await change(deps, owner, async (tx) => {
    const row = await requireBudget(tx, by.actor, id)
    if (seen_at !== undefined && seen_at !== row.updated_at) throw new AppError('budgets.changed')
    await changeBudgetIn(deps, tx, by, { owner, row, patch })
  })
}

type Stored = { readonly owner: BudgetOwner; readonly row: BudgetRow }

/** In the transaction of the caller, who has locked the owner. */
export async function changeBudgetIn(
  deps: Pick<Deps, 'now'>,
  tx: Tx,
  by: By,
  { owner, row, patch }: Stored & { readonly patch: Omit<BudgetPatch, 'updated_at' | 'is_by_member'> },
): Promise<void> {
  // Two changes in one second differ, so that a form with the first is refused.
  const updated_at = Math.max(nowSeconds(deps), row.updated_at + 1)
  await updateBudget(tx, row.id, { ...patch, ...setBy(by), updated_at })
  await audit(deps, tx, by, { id: row.id, owner, action: 'update', before: row, after: patch })
}

/** Who set it: a budget that the operator changes becomes the operator's. */
const setBy = ({ actor }: By): Pick<BudgetRow, 'is_by_member'> => ({ is_by_member: actor.member !== undefined })

export async function removeOwnerBudget(deps: Deps, by: Call, id: number): Promise<void> {
  const owner = await getOwnerOf(deps, by.actor, id)
  await change(deps, owner, async (tx) => {
    await removeBudgetIn(deps, tx, by, { owner, row: await requireBudget(tx, by.actor, id) })
  })
}

/** In the transaction of the caller, who has locked the owner. */
export async function removeBudgetIn(deps: Pick<Deps, 'now'>, tx: Tx, by: By, { owner, row }: Stored): Promise<void> {
  await removeBudget(tx, row.id)
  await audit(deps, tx, by, { id: row.id, owner, action: 'delete', before: {}, after: {}, was: row })
}

async function requireBudget(tx: Tx, actor: Actor, id: number): Promise<BudgetRow> {
  const row = await lockBudget(tx, id)
  if (row === undefined) throw new AppError('record.missing')
  if (!maySet(actor, row)) throw new AppError('budgets.not-own')
  return row
}

async function getOwnerOf(deps: Deps, actor: Actor, id: number): Promise<BudgetOwner> {
  const row = await findBudget(deps.db, id)
  if (row === undefined) throw new AppError('record.missing')
  const asked = {
    token_id: row.token_id,
    project_id: row.project_id,
    member_id: row.member_id,
    user_id: row.scope === 'user' ? row.user_id : 0,
    group: row.group_name,
  }
  const owner = await getOwner(deps.db, actor, asked)
  if (!maySet(actor, row)) throw new AppError('budgets.not-own')
  return owner
}

/**
 * Changes budgets of an owner, whose row is locked. Afterwards relays know: by the new version of the token or user, or by the configuration
 * that they read.
 */
async function change(deps: Deps, owner: BudgetOwner, work: (tx: Tx) => Promise<void>): Promise<void> {
  if (owner.scope === 'group') {
    const version = await deps.db.transaction().execute(async (tx) => {
      await lockOwner(tx, owner)
      await work(tx)
      return await raiseSnapshotVersion(tx)
    })
    await publishAfter(deps, { version, budgets: true })
    return
  }
  const changed = await deps.db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner)
    await work(tx)
    return await noteOwner(deps, tx, owner)
  })
  await syncChanged(deps, [changed])
}

export async function lockOwner(tx: Tx, { scope, user_id, token_id, group_name }: BudgetOwner): Promise<void> {
  if (scope === 'group') return await lockGroupBudgets(tx, group_name)
  const row = scope === 'token' ? await lockToken(tx, { id: token_id, user_id }) : await lockUser(tx, user_id)
  if (row === undefined) throw new AppError('record.missing')
}

/** Raises the version of the token or user, so that relays identify it again; the caller syncs what it returns after the commit. */
export async function noteOwner(deps: Pick<Deps, 'now'>, tx: Tx, { scope, user_id, token_id }: BudgetOwner): Promise<Changed> {
  const changed = scope === 'token' ? ({ subject: 'token', id: token_id } as const) : ({ subject: 'user', id: user_id } as const)
  await (scope === 'token' ? touchToken(tx, token_id) : touchUser(tx, user_id))
  await appendOutbox(tx, { subject: changed.subject, subject_id: changed.id, now: nowSeconds(deps) })
  return changed
}

type Change = {
  readonly id: number
  readonly owner: BudgetOwner
  readonly action: 'create' | 'update' | 'delete'
  readonly before: object
  readonly after: object
  readonly was?: BudgetRow
}

function nameOf({ scope, user_id, token_id, project_id, member_id, group_name }: BudgetOwner): string {
  if (scope === 'group') return group_name
  const id = { token: token_id, user: user_id, project: project_id, member: member_id }[scope]
  return `#${id}`
}

/** An owner's own changes to a token are no entry, as other changes to it. */
async function audit(deps: Pick<Deps, 'now'>, tx: Tx, by: By, { id, owner, action, before, after, was }: Change): Promise<void> {
  if (owner.scope === 'token' && owner.user_id === by.actor.id && by.actor.member === undefined) return
  const name = nameOf(owner)
  const removed =
    was === undefined
      ? []
      : [
          { field: 'amount', before: String(was.amount) },
          { field: 'window', before: was.window },
        ]
  await recordAudit(deps, tx, by, [
    {
      action,
      resource: 'budget',
      resource_id: id,
      changes: [{ field: owner.scope, after: name }, ...changedFields({ ...before }, { ...after }), ...removed],
    },
  ])
}
