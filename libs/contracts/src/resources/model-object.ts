import type { ModelObject } from './channels.ts'

/** Creation time of every model, Unix seconds. */
export const MODEL_CREATED = 1_626_777_600
/** Constant fields that old client SDKs expect of a model object (`GET /v1/models`, `GET /api/channel/models`). */
const PERMISSION = {
  id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ',
  object: 'model_permission',
  created: MODEL_CREATED,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
}

/** A model in the shape of OpenAI's models API. */
export function toModelObject({ id, owned_by }: { readonly id: string; readonly owned_by: string }): ModelObject {
  return { id, object: 'model', created: MODEL_CREATED, owned_by, permission: [PERMISSION], root: id, parent: null }
}
