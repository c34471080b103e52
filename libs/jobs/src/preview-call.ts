import { CallPreview, CallPreviewQuestion } from '@tollgate/contracts/channels/call-preview'
import { z } from 'zod'
import { job } from './job.ts'

export const previewCall = job('preview-call', {
  summary: 'Shows the call that a channel would make for a sample request, before and after its overrides.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 10_000,
  payload: CallPreviewQuestion,
  result: z.union([z.object({ refusal: z.string() }), z.object({ preview: CallPreview })]),
})
