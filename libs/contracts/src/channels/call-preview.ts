import { z } from 'zod'
import { PREVIEW_FORMATS } from './preview-formats.ts'

const Text = z.string().max(64_000).default('')

/** A channel as its form has it, and a client's request that is not sent. JSON texts as in the form; secrets stay masked. */
export const CallPreviewQuestion = z.object({
  type: z.int(),
  base_url: z.string().max(2000).default(''),
  other: z.string().max(16_000).default(''),
  openai_organization: z.string().max(200).default(''),
  model_mapping: z.string().max(200_000).default(''),
  param_override: Text,
  setting: Text,
  call: z.enum(PREVIEW_FORMATS).default('openai-chat'),
  model: z.string().trim().min(1).max(255),
  /** The client's body as JSON text; its model is `model`. */
  body: Text,
  /** The client's headers as JSON text. */
  headers: Text,
  /** Attempts that failed before, for conditions. */
  retry_index: z.int().min(0).max(100).default(0),
})
export type CallPreviewQuestion = z.infer<typeof CallPreviewQuestion>

const Header = z.object({ name: z.string(), value: z.string() })

/** A call to a vendor. `body`: JSON text, indented. */
export const PreviewedCall = z.object({ url: z.string(), headers: z.array(Header), body: z.string() })
export type PreviewedCall = z.infer<typeof PreviewedCall>

export const CallPreview = z.object({
  /** The vendor's format. */
  format: z.string(),
  upstream_model: z.string(),
  /** Without parameter and header overrides. */
  before: PreviewedCall,
  /** Absent: the override answers with `error` instead. */
  after: PreviewedCall.optional(),
  /** Error of an operation `return_error`; `operation` counts from 1. */
  error: z
    .object({ status: z.int(), message: z.string(), code: z.string(), type: z.string(), skip_retry: z.boolean(), operation: z.int() })
    .optional(),
  /** Parts that the conversion to the vendor's format could not carry. */
  warnings: z.array(z.string()),
})
export type CallPreview = z.infer<typeof CallPreview>
