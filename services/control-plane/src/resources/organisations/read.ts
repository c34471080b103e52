import { AppError } from '@tollgate/contracts/app-error'
import type { Membership, Organisation, OrganisationRow, OwnInvitation, Spending } from '@tollgate/contracts/resources/organisations'
import { PROVIDERS } from '@tollgate/contracts/resources/oauth'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import { listProjects, sumSpending } from '@tollgate/db/queries/tokens/projects'
import { countMembers, findOrganisation, listMemberships, listOrganisations } from '@tollgate/db/queries/users/organisations'
import { findUser } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { nowSeconds, type Deps } from '../../deps.ts'
import { marksOfOrganisations } from '../../managed.ts'
import { pagingOf } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { requireMember } from './chosen.ts'
import { mayFound } from './found.ts'
import { listOwnInvitations } from './invitations.ts'

type Own = { items: Membership[]; invitations: OwnInvitation[]; may_found: boolean }

/** The person's organisations, for the menu in which one is chosen. */
export async function listOwnOrganisations(deps: Deps, actor: Actor): Promise<Own> {
  const [rows, invitations, may_found] = await Promise.all([
    listMemberships(deps.db, actor.id),
    listOwnInvitations(deps, actor),
    mayFound(deps, actor),
  ])
  const items = rows.map(({ sign_in_provider, ...row }) => {
    const required = PROVIDERS.find((one) => one === sign_in_provider)
    return { ...row, needs_provider: required === undefined || required === actor.signed_in_by ? ('' as const) : required }
  })
  return { items, invitations, may_found }
}

export async function getOrganisation(deps: Deps, actor: Actor): Promise<Organisation> {
  const { role } = requireMember(actor)
  const [row, user, members, projects] = await Promise.all([
    findOrganisation(deps.db, actor.id),
    findUser(deps.db, actor.id),
    countMembers(deps.db, actor.id),
    listProjects(deps.db, actor.id),
  ])
  if (row === undefined || user === undefined) throw new AppError('record.missing')
  const { credited, spent, refunded, group } = user
  const [mark] = await marksOfOrganisations(deps.db, [row])
  return { ...row, ...mark, role, members, projects: projects.length, quota: credited - spent, used_quota: spent - refunded, group }
}

type Asked = { readonly by: 'project' | 'member'; readonly start_timestamp: number; readonly end_timestamp: number }
const YEAR_SECONDS = 366 * 86_400
const MONTH_SECONDS = 30 * 86_400

/** Without times: of the last thirty days. */
export async function listSpending(deps: Deps, actor: Actor, { by, start_timestamp, end_timestamp }: Asked): Promise<Spending[]> {
  requireMember(actor)
  const until = end_timestamp > 0 ? end_timestamp : nowSeconds(deps) + 1
  const from = Math.max(start_timestamp > 0 ? start_timestamp : until - MONTH_SECONDS, until - YEAR_SECONDS)
  const hour = from - (from % HOUR_SECONDS)
  return await withReadSnapshot(deps, (tx) => sumSpending(tx, { organisation_id: actor.id, by, from: hour, until }))
}

type Page = { items: OrganisationRow[]; total: number; page: number; page_size: number }

export async function listAllOrganisations(
  deps: Deps,
  { keyword, ...asked }: { readonly keyword: string; readonly p: number; readonly page_size: number },
): Promise<Page> {
  const { page, page_size, limit, offset } = pagingOf(asked)
  return await withReadSnapshot(deps, async (tx) => {
    const { items, total } = await listOrganisations(tx, { keyword: keyword.trim(), limit, offset })
    const marks = await marksOfOrganisations(tx, items)
    const shown = items.map(({ credited, spent, refunded, owners, ...row }, at) => ({
      ...row,
      ...marks[at],
      owners: owners ?? [],
      quota: credited - spent,
      used_quota: spent - refunded,
    }))
    return { items: shown, total, page, page_size }
  })
}
