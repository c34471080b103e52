import { addMember, createOrganisation } from '@tollgate/db/queries/users/organisations'
import { createProject } from '@tollgate/db/queries/tokens/projects'
import type { Cluster } from './cluster.ts'
import { importBudget, importToken, importUser } from './imported-accounts.ts'
import type { Account } from './load.ts'

const ROLES = ['owner', 'admin', 'developer'] as const
/** Used up within the first requests, so that most of the project's are refused. */
const SMALL = 60_000

type NewOrganisation = { readonly credited: number; readonly members: readonly number[] }

/**
 * An organisation with a wallet and two projects, in which each member has a token. A request is counted by up to five budgets: two of its
 * project, two of the member who made its token, and one of the organisation. Those of the second project and the last member are reached.
 */
export async function importOrganisation(
  cluster: Cluster,
  { credited, members }: NewOrganisation,
): Promise<{ readonly account: number; readonly tokens: readonly Account[] }> {
  const account = await importUser(cluster, credited)
  const created_at = Math.floor(Date.now() / 1000)
  const projects = await cluster.db.transaction().execute(async (tx) => {
    await createOrganisation(tx, { id: account, name: `organisation ${account}`, created_by: members[0] ?? 0, created_at })
    for (const [at, user_id] of members.entries())
      await addMember(tx, { organisation_id: account, user_id, role: ROLES[at] ?? 'developer', joined_at: created_at })
    const made: number[] = []
    for (const name of ['large', 'small']) made.push(await createProject(tx, { organisation_id: account, name, created_at }))
    return made
  })
  const [large = 0, small = 0] = projects
  await importBudget(cluster, { user_id: account, amount: credited, window: 'month' })
  await importBudget(cluster, { user_id: account, project_id: large, amount: credited })
  await importBudget(cluster, { user_id: account, project_id: large, amount: Math.ceil(credited / 2), window: 'day' })
  await importBudget(cluster, { user_id: account, project_id: small, amount: SMALL })
  for (const [at, member_id] of members.entries()) {
    const isLast = at === members.length - 1
    await importBudget(cluster, { user_id: account, member_id, amount: isLast ? SMALL * 2 : credited, window: 'week' })
    await importBudget(cluster, { user_id: account, member_id, amount: credited, window: '5h' })
  }
  const tokens: Account[] = []
  for (const created_by of members) {
    tokens.push(await importToken(cluster, { userId: account, granted: credited, of: { project_id: large, created_by } }))
    tokens.push(await importToken(cluster, { userId: account, granted: SMALL * 4, of: { project_id: small, created_by } }))
  }
  return { account, tokens }
}
