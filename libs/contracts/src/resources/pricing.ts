import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Ratio } from '../units.ts'
import { answerWith } from '../common-schemas.ts'

export const PricingRow = z.object({
  model_name: z.string(),
  /** 0: by usage, 1: by call. */
  quota_type: z.int(),
  model_ratio: Ratio,
  model_price: z.number(),
  owner_by: z.string(),
  completion_ratio: Ratio,
  enable_groups: z.array(z.string()),
})
export type PricingRow = z.infer<typeof PricingRow>

export const PricingAnswer = answerWith({
  data: z.array(PricingRow),
  group_ratio: z.record(z.string(), Ratio),
  usable_group: z.record(z.string(), z.string()),
})
export type PricingAnswer = z.infer<typeof PricingAnswer>

export const pricing = {
  get: endpoint({
    method: 'GET',
    path: '/api/pricing',
    access: 'optional',
    summary: 'Prices of all models for this visitor',
    answer: PricingAnswer,
  }),
}
