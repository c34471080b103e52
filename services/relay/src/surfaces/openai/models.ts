import { AppError } from '@tollgate/contracts/app-error'
import { toModelObject } from '@tollgate/contracts/model-object'
import { resolveGroup } from '@tollgate/domain/access/group'
import { vendors } from '@tollgate/providers/vendors/index'
import type { Book } from '../../book.ts'
import type { RelayDeps } from '../../deps.ts'
import { identify, UNRESERVED_MAX_AGE_MS, type Caller } from '../../pipeline/identify.ts'
import type { Visit } from '../../visit.ts'

/** GET /v1/models: the token's own list, else what its group may use. */
export async function answerModels(visit: Visit, deps: RelayDeps): Promise<void> {
  const caller = await identify(visit, deps, UNRESERVED_MAX_AGE_MS)
  const data = listModels(caller, deps.book).map(toModel)
  answerJson(visit, { success: true, object: 'list', data })
}

/** GET /v1/models/{id}. */
export async function answerModel(visit: Visit, id: string, deps: RelayDeps): Promise<void> {
  const caller = await identify(visit, deps, UNRESERVED_MAX_AGE_MS)
  if (!listModels(caller, deps.book).includes(id)) throw new AppError('model.unknown', { model: id })
  answerJson(visit, toModel(id))
}

function listModels({ record }: Caller, book: Book): readonly string[] {
  if (record.model_limits !== null) return record.model_limits
  return book.listModels(resolveGroup(record, book.snapshot.groups).group).toSorted()
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

function answerJson({ reply }: Visit, body: object): void {
  reply.answer(200, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(body))
}
