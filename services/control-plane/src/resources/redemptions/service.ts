import { AppError } from '@tollgate/contracts/app-error'
import type { PageQuery } from '@tollgate/contracts/values/common-schemas'
import { RedemptionStatus } from '@tollgate/contracts/enums'
import type { NewRedemptions, Redemption, RedemptionChange } from '@tollgate/contracts/resources/redemptions'
import type { Tx } from '@tollgate/db/connect'
import {
  createRedemptions,
  findRedemption,
  listRedemptions,
  lockRedemption,
  removeRedemption,
  updateRedemption,
  type RedemptionPatch,
  type RedemptionRow,
} from '@tollgate/db/queries/wallet/redemptions'
import { quotaText } from '@tollgate/domain/display/quota-text'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { ownEdits } from '../../own-edits.ts'
import { isAhead } from '../../expiry.ts'
import { pagingOf } from '../../paging.ts'
import { quotaStyle } from '../users/quota-style.ts'
import { createCode, openCode } from './code.ts'

const MAX_NAME = 20
const MAX_COUNT = 100

type RedemptionPage = { items: Redemption[]; total: number; page: number; page_size: number }

export async function listCodes(deps: Deps, query: PageQuery & { readonly keyword: string }): Promise<RedemptionPage> {
  const { page, page_size, ...range } = pagingOf(query)
  const { items, total } = await listRedemptions(deps.db, { ...range, keyword: query.keyword.trim() })
  return { items: items.map((row) => toRedemption(deps, row)), total, page, page_size }
}

export async function getCode(deps: Deps, id: number): Promise<Redemption> {
  if (id === 0) throw new AppError('id.blank')
  const row = await findRedemption(deps.db, id)
  if (row === undefined) throw new AppError('record.missing')
  return toRedemption(deps, row)
}

/** Creates all codes or none, and returns them. */
export async function createCodes(deps: Deps, by: By, { name: typed, quota, count, expired_time }: NewRedemptions): Promise<string[]> {
  if (count <= 0) throw new AppError('redemptions.count')
  if (count > MAX_COUNT) throw new AppError('redemptions.count-high')
  const fields = {
    name: checkName(typed.trim() === '' ? quotaText(quota, 'total', await quotaStyle(deps)) : typed),
    quota: checkQuota(quota),
    expired_time: checkEnd(expired_time, nowSeconds(deps)),
  }
  const codes = Array.from({ length: count }, () => createCode(deps.sealers.options))
  await deps.db.transaction().execute(async (tx) => {
    const created_time = nowSeconds(deps)
    const rows = codes.map(({ key_hash, key_sealed }) => ({ ...fields, key_hash, key_sealed, user_id: by.actor.id, created_time }))
    const ids = await createRedemptions(tx, rows)
    await recordAudit(
      deps,
      tx,
      by,
      ids.map((id) => ({ action: 'create', resource: 'redemption' as const, resource_id: id, changes: changedFields({}, fields) })),
    )
  })
  return codes.map(({ key }) => key)
}

/** Changes name, quota and end of a code that was not used. */
export function updateCode(deps: Deps, by: By, body: RedemptionChange): Promise<Redemption> {
  const now = nowSeconds(deps)
  return changeCode(deps, by, body.id, (row) => {
    const { name, quota, expired_time } = ownEdits(body, { name: row.name, quota: row.quota, expired_time: row.expired_time })
    return {
      ...(name === undefined ? {} : { name: checkName(name) }),
      ...(quota === undefined ? {} : { quota: checkQuota(quota) }),
      // A console sends the whole row back, the end of a code that has ended among it.
      ...(expired_time === undefined || expired_time === row.expired_time ? {} : { expired_time: checkEnd(expired_time, now) }),
    }
  })
}

export function setCodeStatus(deps: Deps, by: By, { id, status }: RedemptionChange): Promise<Redemption> {
  return changeCode(deps, by, id, () => {
    if (status !== RedemptionStatus.unused && status !== RedemptionStatus.disabled) throw new AppError('params.invalid')
    return { status }
  })
}

export async function removeCode(deps: Deps, by: By, id: number): Promise<undefined> {
  if (id === 0) throw new AppError('id.blank')
  await deps.db.transaction().execute(async (tx) => {
    const row = await lock(tx, id)
    await removeRedemption(tx, id)
    const changes = [{ field: 'name', before: row.name }]
    await recordAudit(deps, tx, by, [{ action: 'delete', resource: 'redemption', resource_id: id, changes }])
  })
}

async function changeCode(deps: Deps, by: By, id: number, patchOf: (row: RedemptionRow) => RedemptionPatch): Promise<Redemption> {
  if (id <= 0) throw new AppError('params.invalid')
  await deps.db.transaction().execute(async (tx) => {
    const row = await lock(tx, id)
    if (row.status === RedemptionStatus.used) throw new AppError('redemptions.spent')
    const patch = patchOf(row)
    await updateRedemption(tx, { id, patch })
    const changes = changedFields(row, patch)
    if (changes.length > 0) await recordAudit(deps, tx, by, [{ action: 'update', resource: 'redemption', resource_id: id, changes }])
  })
  return getCode(deps, id)
}

async function lock(tx: Tx, id: number): Promise<RedemptionRow> {
  const row = await lockRedemption(tx, id)
  if (row === undefined) throw new AppError('record.missing')
  return row
}

/** Counts characters, not bytes. */
function checkName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || [...trimmed].length > MAX_NAME) throw new AppError('redemptions.name')
  return trimmed
}

function checkQuota(quota: number): number {
  if (quota <= 0) throw new AppError('redemptions.quota')
  return quota
}

function checkEnd(expired_time: number, now: number): number {
  if (expired_time !== 0 && !isAhead(expired_time, now)) throw new AppError('redemptions.ends')
  return expired_time
}

function toRedemption({ sealers }: Deps, row: RedemptionRow): Redemption {
  const { key_hash: _hash, key_sealed: _sealed, ...shown } = row
  return { ...shown, key: openCode(sealers.options, row), count: 0, DeletedAt: null }
}
