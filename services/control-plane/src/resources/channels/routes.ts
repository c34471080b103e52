import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { channels } from '@tollgate/contracts/resources/channels'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { getChannel, listAllChannels, searchAllChannels } from './read.ts'
import { repairAbilities, setTagStatus, tagChannels, updateTag } from './tags.ts'
import { fetchModelsBeforeSaving, fetchModelsOfChannel, testChannel } from './vendor-calls.ts'
import { copyChannel, createManyChannels, removeAllDisabledChannels, removeManyChannels, updateChannel } from './write.ts'

export const channelRoutes = (deps: Deps): Binding[] => [
  handle(channels.list, ({ query }) => listAllChannels(deps, query)),
  handle(channels.search, ({ query }) => searchAllChannels(deps, query)),
  handle(channels.get, ({ params }) => getChannel(deps, params.id)),
  handle(channels.create, ({ body }) => createManyChannels(deps, body)),
  handle(channels.copy, ({ params }) => copyChannel(deps, params.id)),
  handle(channels.update, ({ actor, body, ip }) => updateChannel(deps, { actor, body, ip })),
  handle(channels.remove, async ({ params }) => {
    await removeManyChannels(deps, [params.id])
    return undefined
  }),
  handle(channels.removeDisabled, () => removeAllDisabledChannels(deps)),
  handle(channels.removeMany, async ({ body }) => {
    const ids = someIds(body.ids)
    await removeManyChannels(deps, ids)
    return ids.length
  }),
  handle(channels.tagMany, ({ body }) => tagChannels(deps, someIds(body.ids), body.tag ?? '')),
  handle(channels.enableTag, ({ body }) => setTagStatus(deps, body.tag, ChannelStatus.enabled)),
  handle(channels.disableTag, ({ body }) => setTagStatus(deps, body.tag, ChannelStatus.disabled)),
  handle(channels.updateTag, ({ body }) => updateTag(deps, body)),
  handle(channels.repair, () => repairAbilities(deps)),
  handle(channels.test, ({ params, query, traceparent }) => testChannel(deps, { id: params.id, model: query.model, traceparent })),
  handle(channels.fetchModels, ({ params }) => fetchModelsOfChannel(deps, params.id)),
  handle(channels.fetchModelsOf, ({ body }) => fetchModelsBeforeSaving(deps, body)),
]

function someIds(ids: readonly number[] | null | undefined): readonly number[] {
  if (ids === undefined || ids === null || ids.length === 0) throw new AppError('channels.params')
  return ids
}
