import type { ModelObject } from '@tollgate/contracts/resources/channels'

/** Constant fields that API clients expect of a model object. */
const CREATED = 1_626_777_600
const PERMISSION = {
  id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ',
  object: 'model_permission',
  created: CREATED,
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

export function toModelObject({ id, owned_by }: { readonly id: string; readonly owned_by: string }): ModelObject {
  return { id, object: 'model', created: CREATED, owned_by, permission: [PERMISSION], root: id, parent: null }
}
