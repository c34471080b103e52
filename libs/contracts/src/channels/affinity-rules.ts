import { z } from 'zod'

/** Where a conversation's name is read: `header:<name>`, or `body:<path>` with dots between the members. */
const KeySource = z.string().regex(/^(header:[\w-]{1,100}|body:[\w-]+(\.[\w-]+){0,7})$/)

/** How the conversation of a request is recognised; the first rule for its model and path counts. */
export const AffinityRule = z.strictObject({
  /** Asked model; `*` is any text. Absent: every model. */
  model: z.string().min(1).max(255).optional(),
  /** Path of the request; `*` is any text. Absent: every path. */
  path: z.string().min(1).max(255).optional(),
  /** The first of them that the request has names its conversation. */
  keys: z.array(KeySource).min(1).max(5),
  /** False: a request that its conversation's channel failed is not retried on another. */
  retry: z.boolean().optional(),
})
export type AffinityRule = z.infer<typeof AffinityRule>
