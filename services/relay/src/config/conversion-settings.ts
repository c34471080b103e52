import { ownValue } from '@tollgate/contracts/values/own-value'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { CallPolicy } from '@tollgate/upstream/policy'
import type { ConversionSettings } from '@tollgate/providers/calls/operation'

/** https://ai.google.dev/api/generate-content#harmcategory */
const CATEGORIES = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
  (name) => `HARM_CATEGORY_${name}`,
)

type Options = Pick<OptionValues, 'claude.default_max_tokens' | 'gemini.safety_settings' | 'gemini.supported_imagine_models'>

/** Reads the options that format conversion uses. */
export function readConversionSettings(options: Options): ConversionSettings {
  const limits = options['claude.default_max_tokens']
  const thresholds = options['gemini.safety_settings']
  const imagine = new Set(options['gemini.supported_imagine_models'])
  const safety_settings = CATEGORIES.map((category) => ({ category, threshold: thresholds[category] ?? thresholds['default'] ?? 'OFF' }))
  return {
    default_max_tokens: (model) => ownValue(limits, model) ?? limits['default'] ?? 8192,
    safety_settings,
    makes_images: (model) => imagine.has(model),
  }
}

type CallOptions = Pick<
  OptionValues,
  | 'claude.default_max_tokens'
  | 'claude.model_headers_settings'
  | 'claude.thinking_adapter_enabled'
  | 'claude.thinking_adapter_budget_tokens_percentage'
  | 'gemini.thinking_adapter_enabled'
  | 'gemini.thinking_adapter_budget_tokens_percentage'
  | 'gemini.version_settings'
  | 'global.pass_through_request_enabled'
  | 'AnswerWithUpstreamModel'
>

/** Reads the options that the preparation of upstream calls uses. */
export function readCallPolicy(options: CallOptions): CallPolicy {
  const versions = options['gemini.version_settings']
  const headers = options['claude.model_headers_settings']
  const limits = options['claude.default_max_tokens']
  return {
    geminiVersion: (model) => ownValue(versions, model) ?? versions['default'] ?? 'v1beta',
    adapters: {
      claude: {
        is_enabled: options['claude.thinking_adapter_enabled'],
        percentage: options['claude.thinking_adapter_budget_tokens_percentage'],
      },
      gemini: {
        is_enabled: options['gemini.thinking_adapter_enabled'],
        percentage: options['gemini.thinking_adapter_budget_tokens_percentage'],
      },
      default_max_tokens: (model) => ownValue(limits, model) ?? limits['default'] ?? 8192,
    },
    modelHeaders: (model) => ownValue(headers, model) ?? {},
    is_pass_through: options['global.pass_through_request_enabled'],
    names_upstream_model: options['AnswerWithUpstreamModel'],
  }
}
