import { AppError } from '@tollgate/contracts/app-error'
import type { PageQuery } from '@tollgate/contracts/values/common-schemas'
import { spendAlerts } from '@tollgate/contracts/resources/spend-alerts'
import { statements, type Statement, type WalletEntry } from '@tollgate/contracts/resources/statements'
import { findStatement, listWalletEntries } from '@tollgate/db/queries/wallet/statements'
import { sumSpending } from '@tollgate/db/queries/tokens/projects'
import { findOrganisation } from '@tollgate/db/queries/users/organisations'
import { handle, type Binding } from '@tollgate/http/handle'
import { nowSeconds, type Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { getUser } from '../users/read.ts'
import { listOwnAlerts, removeOwnAlert, saveOwnAlert } from './alerts.ts'
import { linesOf, monthOf } from './month.ts'

/** Entries on one statement; a wallet that changes more often is read page by page. */
const MAX_ENTRIES = 5000

export const statementRoutes = (deps: Deps): Binding[] => [
  handle(statements.entries, ({ actor, query }) => listEntries(deps, actor.id, query)),
  handle(statements.month, ({ actor, query }) => getStatement(deps, actor.id, query.month)),
  handle(statements.entriesOf, async ({ actor, params, query }) => {
    await getUser(deps, actor, params.id)
    return await listEntries(deps, params.id, query)
  }),
  handle(statements.monthOf, async ({ actor, params, query }) => {
    await getUser(deps, actor, params.id)
    return await getStatement(deps, params.id, query.month)
  }),
  handle(spendAlerts.list, ({ actor }) => listOwnAlerts(deps, actor)),
  handle(spendAlerts.save, ({ actor, body }) => saveOwnAlert(deps, actor, body)),
  handle(spendAlerts.remove, ({ actor, params }) => removeOwnAlert(deps, actor, params.id)),
]

type EntryPage = { items: WalletEntry[]; total: number; page: number; page_size: number }

async function listEntries(deps: Deps, user_id: number, query: PageQuery): Promise<EntryPage> {
  const { page, page_size, ...range } = pagingOf(query)
  const found = await withReadSnapshot(deps, (tx) => listWalletEntries(tx, { user_id, ...range }))
  return { ...found, page, page_size }
}

function getStatement(deps: Deps, user_id: number, text: string): Promise<Statement> {
  const { month, from, until } = monthOf(text, nowSeconds(deps))
  return withReadSnapshot(deps, async (tx) => {
    const parts = await findStatement(tx, { user_id, from, until, limit: MAX_ENTRIES + 1 })
    if (parts === undefined) throw new AppError('record.missing')
    const { opening, closing, entries, days } = parts
    const is_cut = entries.length > MAX_ENTRIES
    const statement = { month, opening, closing, lines: linesOf(opening, entries.slice(0, MAX_ENTRIES), days), is_cut }
    if ((await findOrganisation(tx, user_id)) === undefined) return statement
    const projects = await sumSpending(tx, { organisation_id: user_id, by: 'project', from, until })
    return { ...statement, projects: projects.map(({ id, name, quota, requests }) => ({ id, name, quota, requests })) }
  })
}
