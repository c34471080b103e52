import { AppError } from '@tollgate/contracts/app-error'
import type { CallPreview, CallPreviewQuestion } from '@tollgate/contracts/channels/call-preview'
import type { Deps } from '../../deps.ts'
import { checkParamOverride } from './fields.ts'

const DEADLINE_MS = 12_000

/** Asks the worker, which knows the vendors' formats. Nothing is sent to a vendor. */
export async function previewCall(deps: Pick<Deps, 'jobs'>, question: CallPreviewQuestion): Promise<CallPreview> {
  checkParamOverride(question.param_override)
  const answer = await deps.jobs.ask('preview-call', question, DEADLINE_MS)
  if (answer === 'timeout') throw new AppError('channels.test-late')
  if ('preview' in answer) return answer.preview
  throw new AppError('channels.preview', { detail: answer.refusal })
}
