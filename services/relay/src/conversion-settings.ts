import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { ConversionSettings } from '@tollgate/providers/exchange/operation'

/** https://ai.google.dev/api/generate-content#harmcategory */
const CATEGORIES = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
  (name) => `HARM_CATEGORY_${name}`,
)

type Options = Pick<OptionValues, 'claude.default_max_tokens' | 'gemini.safety_settings' | 'gemini.supported_imagine_models'>

/** The operator's options as conversions ask for them. */
export function readConversionSettings(options: Options): ConversionSettings {
  const limits = options['claude.default_max_tokens']
  const thresholds = options['gemini.safety_settings']
  const imagine = new Set(options['gemini.supported_imagine_models'])
  const safety_settings = CATEGORIES.map((category) => ({ category, threshold: thresholds[category] ?? thresholds['default'] ?? 'OFF' }))
  return {
    default_max_tokens: (model) => limits[model] ?? limits['default'] ?? 8192,
    safety_settings,
    makes_images: (model) => imagine.has(model),
  }
}

/** Version in Gemini's paths: option `gemini.version_settings`. */
export function readGeminiVersion(versions: OptionValues['gemini.version_settings']): (upstream_model: string) => string {
  return (model) => versions[model] ?? versions['default'] ?? 'v1beta'
}
