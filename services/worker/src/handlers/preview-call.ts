import type { Handler } from '@tollgate/jobs/jobs'
import { previewCall as preview } from '@tollgate/upstream/preview'

/** Makes a call without sending it. Changes nothing. */
export const previewCall = (): Handler<'preview-call'> => async (question) => {
  const made = preview(question)
  return await Promise.resolve(typeof made === 'string' ? { refusal: made } : { preview: made })
}
