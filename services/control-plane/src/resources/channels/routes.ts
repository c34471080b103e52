import { listEffectiveCosts } from './effective-cost.ts'
import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { channelBatches } from '@tollgate/contracts/resources/channel-batches'
import { channelFiles } from '@tollgate/contracts/resources/channel-files'
import { channelKeys } from '@tollgate/contracts/resources/channel-keys'
import { channels } from '@tollgate/contracts/resources/channels'
import { messages } from '@tollgate/contracts/texts/success-messages'
import { ResultWithMessage, withMessage } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import { keptBaseUrl } from '@tollgate/providers/catalogue'
import type { Language } from '@tollgate/http/language'
import type { Deps } from '../../deps.ts'
import type { Publication } from '../../internal/snapshot-publisher.ts'
import { applyModels } from './apply-models.ts'
import { mapModel } from './map-model.ts'
import { editBatch, previewBatch } from './batch-edit.ts'
import { forecastRoute } from './forecast.ts'
import { previewCall } from './preview.ts'
import { acknowledgeFailure, getAttention, listChannelHealth } from './health.ts'
import { addKeys, listKeys, rotateKey, updateKeys } from './keys.ts'
import { getChannel, listAllChannels, listUnpriced, searchAllChannels } from './read.ts'
import { listBalances, updateBalance, updateBalances } from './balances.ts'
import { cancelRun, getRun, startRun } from './runs.ts'
import { weightShares } from './shares.ts'
import { repairAbilities, setTagStatus, tagChannels, updateTag } from './tags.ts'
import { exportChannels, importChannels, previewChannels } from './transfer.ts'
import { fetchModelsBeforeSaving, fetchModelsOfChannel, testChannel } from './vendor-calls.ts'
import { copyChannel, createManyChannels, removeAllDisabledChannels, removeManyChannels, updateChannel } from './write.ts'

/** Channels as a file. */
export const channelFileRoutes = (deps: Deps): Binding[] => [
  handle(channelFiles.plain, ({ body, actor, ip }) => exportChannels(deps, { actor, ip }, { ids: body.ids })),
  handle(channelFiles.sealed, ({ body, actor, ip }) => exportChannels(deps, { actor, ip }, body)),
  handle(channelFiles.import, async ({ body, language, actor, ip }) => {
    const input = { file: body.file, passphrase: body.passphrase, language }
    if (body.is_preview) return withMessage('', await previewChannels(deps, { actor, ip }, input))
    const { rows, publication } = await importChannels(deps, { actor, ip }, input)
    return answer(publication, language, rows)
  }),
]

/** Edits of many channels. */
export const channelBatchRoutes = (deps: Deps): Binding[] => [
  handle(channels.applyModels, async ({ body, language, ...by }) => {
    const { count, publication } = await applyModels(deps, by, body.changes)
    return answer(publication, language, count)
  }),
  handle(channelBatches.preview, ({ body, actor, ip }) =>
    previewBatch(deps, { actor, ip }, { ids: someIds(body.ids), change: body.change }),
  ),
  handle(channelBatches.mapModel, async ({ body, language, ...by }) => {
    const { ids, publication } = await mapModel(deps, by, body)
    return answer(publication, language, ids.length)
  }),
  handle(channelBatches.edit, async ({ body, language, ...by }) => {
    const { count, publication } = await editBatch(deps, by, { ids: someIds(body.ids), change: body.change, seen: body.seen })
    return answer(publication, language, count)
  }),
]

/** The keys of one channel. */
export const channelKeyRoutes = (deps: Deps): Binding[] => [
  handle(channelKeys.list, ({ params }) => listKeys(deps, params.id)),
  handle(channelKeys.add, async ({ params, body, language, ...by }) => {
    const { added, publication } = await addKeys(deps, by, params.id, body)
    return answer(publication, language, added)
  }),
  handle(channelKeys.update, async ({ params, body, language, ...by }) => answer(await updateKeys(deps, by, params.id, body), language)),
  handle(channelKeys.rotate, async ({ params, body, language, ...by }) => answer(await rotateKey(deps, by, params.id, body), language)),
]

export const channelRoutes = (deps: Deps): Binding[] => [
  handle(channels.list, ({ query, language }) => listAllChannels(deps, { ...query, language })),
  handle(channels.search, ({ query, language }) => searchAllChannels(deps, { ...query, language })),
  handle(channels.health, ({ query, language }) => listChannelHealth(deps, query.ids, language)),
  handle(channels.effectiveCosts, ({ query }) => listEffectiveCosts(deps, query.hours)),
  handle(channels.attention, () => getAttention(deps)),
  handle(channels.acknowledgeFailure, async ({ params, ...by }) => await acknowledgeFailure(deps, params.id, by)),
  handle(channels.unpricedModels, ({ body }) => listUnpriced(deps, body.models)),
  handle(channels.get, ({ params, language }) => getChannel(deps, params.id, language)),
  handle(channels.create, async ({ body, language, ...by }) => {
    const { type, base_url } = body.channel ?? body
    return withCut(answer(await createManyChannels(deps, by, body), language), { type, base_url }, language)
  }),
  handle(channels.copy, async ({ params, language, ...by }) => {
    const { id, publication } = await copyChannel(deps, by, params.id)
    return answer(publication, language, { id })
  }),
  handle(channels.update, async ({ body, language, ...by }) => {
    const publication = await updateChannel(deps, by, body)
    const row = await getChannel(deps, body.id, language)
    return withCut(answer(publication, language, row), { type: row.type, base_url: body.base_url }, language)
  }),
  handle(channels.remove, async ({ params, language, ...by }) => {
    const { publication } = await removeManyChannels(deps, by, [params.id])
    return answer(publication, language)
  }),
  handle(channels.removeDisabled, async ({ language, ...by }) => {
    const { ids, publication } = await removeAllDisabledChannels(deps, by)
    return answer(publication, language, ids.length)
  }),
  handle(channels.removeMany, async ({ body, language, ...by }) => {
    const ids = someIds(body.ids)
    const { publication } = await removeManyChannels(deps, by, ids)
    return answer(publication, language, ids.length)
  }),
  handle(channels.tagMany, async ({ body, language, ...by }) => {
    const ids = someIds(body.ids)
    return answer(await tagChannels(deps, by, { ids, tag: body.tag ?? '' }), language, ids.length)
  }),
  handle(channels.enableTag, async ({ body, language, ...by }) =>
    answer(await setTagStatus(deps, by, { tag: body.tag, status: ChannelStatus.enabled }), language),
  ),
  handle(channels.disableTag, async ({ body, language, ...by }) =>
    answer(await setTagStatus(deps, by, { tag: body.tag, status: ChannelStatus.disabled }), language),
  ),
  handle(channels.updateTag, async ({ body, language, ...by }) => answer(await updateTag(deps, by, body), language)),
  handle(channels.repair, (by) => repairAbilities(deps, by)),
  ...workerRoutes(deps),
]

/** Tests, runs, balances and lists of models, which call vendors. */
const workerRoutes = (deps: Deps): Binding[] => [
  handle(channels.test, ({ params, query, traceparent, language }) =>
    testChannel(deps, { id: params.id, model: query.model, capability: query.capability, key_id: query.key_id, traceparent, language }),
  ),
  handle(channels.testAll, async (by) => {
    await startRun(deps, by, { kind: 'test', capability: 'auto' })
  }),
  handle(channels.forecast, ({ body }) => forecastRoute(deps, body)),
  handle(channels.shares, ({ body }) => weightShares(deps, body)),
  handle(channels.preview, ({ body }) => previewCall(deps, body)),
  handle(channels.startRun, ({ body, ...by }) => startRun(deps, by, body)),
  handle(channels.getRun, ({ query, language }) => getRun(deps, { ...query, language })),
  handle(channels.cancelRun, ({ query }) => cancelRun(deps, query.kind)),
  handle(channels.updateBalance, ({ params }) => updateBalance(deps, params.id)),
  handle(channels.balances, ({ params }) => listBalances(deps, params.id)),
  handle(channels.updateBalances, (by) => updateBalances(deps, by)),
  handle(channels.fetchModels, ({ params }) => fetchModelsOfChannel(deps, params.id)),
  handle(channels.fetchModelsOf, ({ body }) => fetchModelsBeforeSaving(deps, body)),
]

/** The result, with a message if the relays do not have the change yet. */
function answer<T = undefined>(
  publication: Publication,
  language: Language,
  ...data: T extends undefined ? [] : [T]
): ResultWithMessage<T> {
  return withMessage<T>(publication === 'published' ? '' : messages['channels.unpublished'][language], ...data)
}

type Sent = { readonly type: number; readonly base_url?: string | null | undefined }

/** Says what was cut from the end of the address that was sent. */
function withCut<T>(result: ResultWithMessage<T>, { type, base_url }: Sent, language: Language): ResultWithMessage<T> {
  const { cut } = keptBaseUrl(type, (base_url ?? '').trim().replace(/\/+$/, ''))
  if (cut === '' || result.message !== '') return result
  return new ResultWithMessage(messages['channels.base-url-cut'][language].replace('{cut}', cut), result.data)
}

function someIds(ids: readonly number[] | null | undefined): readonly number[] {
  if (ids === undefined || ids === null || ids.length === 0) throw new AppError('channels.params')
  return ids
}
