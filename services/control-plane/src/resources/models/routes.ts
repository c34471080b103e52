import { toModelObject } from '@tollgate/contracts/resources/model-object'
import { channels } from '@tollgate/contracts/resources/channels'
import { models } from '@tollgate/contracts/resources/models'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import { handle, type Binding } from '@tollgate/http/handle'
import { knownModels, presetModels } from '@tollgate/providers/catalogue'
import type { Deps } from '../../deps.ts'

const presets = Object.fromEntries(Object.entries(presetModels).map(([type, names]) => [type, [...names]]))

export const modelRoutes = (deps: Deps): Binding[] => [
  handle(models.presets, () => presets),
  handle(channels.models, () => knownModels.map(toModelObject)),
  handle(channels.enabledModels, () => listEnabledModels(deps.db)),
]
