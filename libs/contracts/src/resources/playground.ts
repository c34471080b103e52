import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const PlaygroundBody = z.looseObject({
  model: z.string().default(''),
  group: z.string().default(''),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).default([]),
  stream: z.boolean().optional(),
  max_tokens: z.int().optional(),
  temperature: z.number().optional(),
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
