import { isHeaderText } from '../channels/header-text.ts'
import { z } from 'zod'
import { option } from './option.ts'

const RELAY = { readBy: ['relay'] } as const
const Texts = z.record(z.string(), z.string())

/** Changes to requests for certain vendors. */
export const modelOptions = {
  'global.pass_through_request_enabled': option.flag({ default: false, ...RELAY }),
  /** Answers of channels that map names have the upstream's name of the model. */
  AnswerWithUpstreamModel: option.flag({ default: false, ...RELAY }),
  'general_setting.ping_interval_enabled': option.flag({ default: false, ...RELAY }),
  /**
   * A ping before the vendor's answer commits status 200, so that a refusal comes inside the stream, on which agents repeat the request
   * instead of shortening the conversation. Vendors refuse within a few seconds.
   */
  'general_setting.ping_interval_seconds': option.int({ default: 60, min: 1, leastToSave: 20, unit: 'seconds', ...RELAY }),
  /** Header values by model and header. */
  'claude.model_headers_settings': option.json(z.record(z.string(), z.record(z.string(), z.array(z.string().refine(isHeaderText)))), {
    default: {},
    ...RELAY,
  }),
  'claude.default_max_tokens': option.json(
    z.record(z.string(), z.int().nonnegative()).transform((map): Record<string, number> => ({ default: 8192, ...map })),
    { default: { default: 8192 }, ...RELAY },
  ),
  'claude.thinking_adapter_enabled': option.flag({ default: true, ...RELAY }),
  'claude.thinking_adapter_budget_tokens_percentage': option.number({ default: 0.8, min: 0.1, max: 1, ...RELAY }),
  'gemini.safety_settings': option.json(Texts, { default: { HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE', default: 'OFF' }, ...RELAY }),
  'gemini.version_settings': option.json(Texts, { default: { default: 'v1beta', 'gemini-1.0-pro': 'v1' }, ...RELAY }),
  'gemini.supported_imagine_models': option.json(z.array(z.string()), {
    default: ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp'],
    ...RELAY,
  }),
  'gemini.thinking_adapter_enabled': option.flag({ default: false, ...RELAY }),
  'gemini.thinking_adapter_budget_tokens_percentage': option.number({ default: 0.6, min: 0.1, max: 1, ...RELAY }),
}
