import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { textOf } from '../common-schemas.ts'

/** Other fields are forwarded as they are. */
export const PlaygroundBody = z.looseObject({
  model: textOf(500),
  group: textOf(200),
  /** Only role, content and what tools need are forwarded; the console's ids and times are not. */
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).default([]),
  stream: z.boolean().optional(),
  /** 0: no limit. */
  max_tokens: z.int().optional(),
  temperature: z.number().optional(),
  /** Ours: the id of the channel to ask; administrators only. */
  channel: z.int().positive().optional(),
})
export type PlaygroundBody = z.infer<typeof PlaygroundBody>

export const playground = {
  /** Forwards the relay's stream unchanged; errors in the OpenAI shape. */
  chat: endpoint({
    method: 'POST',
    path: '/pg/chat/completions',
    access: 'user',
    summary: 'A chat from the console, charged to the wallet',
    body: PlaygroundBody,
  }),
}
