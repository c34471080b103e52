import { archiveSearches } from '@tollgate/contracts/resources/archive-searches'
import { logs } from '@tollgate/contracts/resources/logs'
import { messages } from '@tollgate/contracts/texts/success-messages'
import { nameList } from '@tollgate/domain/display/name-list'
import { withWarnings, type ResultWithMessage } from '@tollgate/http/envelope'
import type { Language } from '@tollgate/http/language'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { keyHashOf } from '../../authentication/authenticate.ts'
import { explainLog } from './explain.ts'
import { listArchives, orderToArchive, orderToRestore } from './archives.ts'
import { cancelSearch, latestSearch, searchArchive } from './archive-search.ts'
import { clear, countBefore, listClearings } from './clearings.ts'
import { getHistogram, getRefusals, getStat, listOfToken, listPage, removeBefore, search } from './service.ts'

type Read<T> = { readonly data: T; readonly isWindow: boolean; readonly archived?: readonly string[] }

/** Says when only the last days were read, and which months are archived. */
function tell<T>({ data, isWindow, archived = [] }: Read<T>, language: Language): ResultWithMessage<T> {
  return withWarnings(data, [
    ...(isWindow ? [messages['logs.last-days'][language]] : []),
    ...(archived.length > 0 ? [messages['logs.archived'][language] + nameList(archived, SHOWN_MONTHS)] : []),
  ])
}

const SHOWN_MONTHS = 6

export const logRoutes = (deps: Deps): Binding[] => [
  handle(logs.list, async ({ query, language }) => tell(await listPage(deps, query, { owner: undefined, language }), language)),
  handle(logs.listOwn, async ({ query, actor, language }) => tell(await listPage(deps, query, { owner: actor.id, language }), language)),
  handle(logs.stat, async ({ query, language }) => tell(await getStat(deps, query, undefined), language)),
  handle(logs.statOwn, async ({ query, actor, language }) => tell(await getStat(deps, query, actor.id), language)),
  // The list beside it says when only the last days were read.
  handle(logs.histogram, async ({ query }) => (await getHistogram(deps, query, undefined)).data),
  handle(logs.histogramOwn, async ({ query, actor }) => (await getHistogram(deps, query, actor.id)).data),
  handle(logs.refusals, ({ query }) => getRefusals(deps, query, undefined)),
  handle(logs.refusalsOwn, ({ query, actor }) => getRefusals(deps, query, actor.id)),
  handle(logs.search, async ({ query, language }) => tell(await search(deps, query.keyword, { owner: undefined, language }), language)),
  handle(logs.searchOwn, async ({ query, actor, language }) =>
    tell(await search(deps, query.keyword, { owner: actor.id, language }), language),
  ),
  handle(logs.explain, ({ params, query, language }) =>
    explainLog(deps, { id: params.id, created_at: query.created_at }, { owner: undefined, language }),
  ),
  handle(logs.explainOwn, ({ params, query, actor, language }) =>
    explainLog(deps, { id: params.id, created_at: query.created_at }, { owner: actor.id, language }),
  ),
  handle(logs.countBefore, ({ query }) => countBefore(deps, query.target_timestamp)),
  handle(logs.clear, ({ body, actor, ip }) => clear(deps, body.target_timestamp, { actor, ip })),
  handle(logs.clearings, () => listClearings(deps)),
  handle(logs.archives, () => listArchives(deps)),
  handle(logs.archive, ({ body, actor, ip }) => orderToArchive(deps, body.month, { actor, ip })),
  handle(logs.restoreArchive, ({ body, actor, ip }) => orderToRestore(deps, body.month, { actor, ip })),
  handle(archiveSearches.start, ({ body, actor, language }) =>
    searchArchive(deps, body.request_id, { user_id: actor.id, rows: 'all' }, language),
  ),
  handle(archiveSearches.startOwn, ({ body, actor, language }) =>
    searchArchive(deps, body.request_id, { user_id: actor.id, rows: 'own' }, language),
  ),
  handle(archiveSearches.cancel, ({ actor, language }) => cancelSearch(deps, { user_id: actor.id, rows: 'all' }, language)),
  handle(archiveSearches.cancelOwn, ({ actor, language }) => cancelSearch(deps, { user_id: actor.id, rows: 'own' }, language)),
  handle(archiveSearches.latest, ({ actor, language }) => latestSearch(deps, { user_id: actor.id, rows: 'all' }, language)),
  handle(archiveSearches.latestOwn, ({ actor, language }) => latestSearch(deps, { user_id: actor.id, rows: 'own' }, language)),
  handle(logs.listOfToken, async ({ query, c, language }) => tell(await listOfToken(deps, query, keyHashOf(c)), language)),
  handle(logs.remove, ({ query, actor, ip }) => removeBefore(deps, query.target_timestamp, { actor, ip })),
]
