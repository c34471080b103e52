import { AppError } from '@tollgate/contracts/app-error'
import { toModelObject } from '@tollgate/contracts/resources/model-object'
import { vendors } from '@tollgate/providers/vendors/index'
import type { RelayDeps } from '../../deps.ts'
import type { RequestContext } from '../../request/context.ts'
import { toModel as toAnthropicModel } from '../anthropic/models.ts'
import { answerJson, listModels } from '../models.ts'

/** GET /v1/models. */
export async function answerModels(context: RequestContext, deps: RelayDeps): Promise<void> {
  const data = (await listModels(context, deps)).map(toModel)
  answerJson(context, { success: true, object: 'list', data })
}

/** GET /v1/models/{id}, in the format of the caller's API. */
export async function answerModel(context: RequestContext, id: string, deps: RelayDeps): Promise<void> {
  if (!(await listModels(context, deps)).includes(id)) throw new AppError('model.unknown', { model: id })
  answerJson(context, context.clientApi.name === 'anthropic' ? toAnthropicModel(id) : toModel(id))
}

function toModel(id: string) {
  return toModelObject({ id, owned_by: ownerOf(id) })
}

const owners: ReadonlyMap<string, string> = new Map(
  Object.values(vendors)
    .toReversed()
    .flatMap(({ models, ownedBy }) => models.map((model) => [model, ownedBy] as const)),
)

function ownerOf(model: string): string {
  if (model.startsWith('mj_')) return 'midjourney'
  return owners.get(model) ?? 'custom'
}
