import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { overriddenHeaders, joinedHeaders } from '@tollgate/providers/adapters/headers'
import { forReasoningModel } from '@tollgate/providers/adapters/reasoning-models'
import type { Adapted, AdapterSettings } from '@tollgate/providers/adapters/suffix'
import { withoutPricedOptions } from '@tollgate/providers/chat/priced-options'
import { withSystemPrompt, type SystemPrompt } from '@tollgate/providers/adapters/system-prompt'
import type { CallFacts } from '@tollgate/providers/calls/api-format'
import type { JsonObject } from '@tollgate/providers/json'
import type { Vendor } from '@tollgate/providers/vendors/vendor'

/** Operator options that change calls to vendors. */
export type CallPolicy = {
  /** Option `gemini.version_settings`, by the upstream's name of the model. */
  readonly geminiVersion: (upstream_model: string) => string
  readonly adapters: AdapterSettings
  /** Option `claude.model_headers_settings`, by the requested model name. */
  readonly modelHeaders: (model: string) => Readonly<Record<string, readonly string[]>>
  /** Option `global.pass_through_request_enabled`: the client's body is sent unchanged if the vendor speaks its format. */
  readonly is_pass_through: boolean
  /** Option `AnswerWithUpstreamModel`: answers name the upstream's model, not the one that was requested. */
  readonly names_upstream_model: boolean
}

/** The options' defaults; used by probes and tests. */
export const DEFAULT_POLICY: CallPolicy = {
  geminiVersion: () => 'v1beta',
  adapters: {
    claude: { is_enabled: true, percentage: 0.8 },
    gemini: { is_enabled: false, percentage: 0.6 },
    default_max_tokens: () => 8192,
  },
  modelHeaders: () => ({}),
  is_pass_through: false,
  names_upstream_model: false,
}

type Patch = (body: JsonObject) => JsonObject

/**
 * The changes to the final body, in order: model suffix, restrictions of reasoning models, the channel's system prompt, the vendor's own,
 * priced options that the channel does not allow.
 * Returns the same object if nothing changes, so that the client's bytes are kept.
 */
export function bodyPatch(vendor: Vendor, facts: CallFacts, adapted: Adapted, setting: ChannelSnapshot['setting']): Patch {
  const prompt = systemPromptOf(setting)
  return (body) => {
    const adaptedBody = adapted.patch?.(body) ?? body
    const accepted = forReasoningModel(facts.format, facts.model, adaptedBody)
    const prompted = prompt === undefined ? accepted : withSystemPrompt(facts.format, prompt, accepted)
    return withoutPricedOptions(vendor.patch?.(prompted, facts) ?? prompted, setting)
  }
}

function systemPromptOf(setting: ChannelSnapshot['setting']): SystemPrompt | undefined {
  const text = setting['system_prompt']
  if (typeof text !== 'string' || text.trim() === '') return undefined
  return { text, is_first: setting['system_prompt_override'] === true }
}

type HeaderInput = {
  readonly facts: CallFacts
  readonly vendor: Vendor
  readonly setting: ChannelSnapshot['setting']
  /** The requested model name. */
  readonly model: string
  readonly policy: CallPolicy
  /** Client headers that the format forwards; empty if the vendor's format differs. */
  readonly forwarded: Readonly<Record<string, string>>
  readonly clientHeader: (name: string) => string
}

/** Headers other than content negotiation and the credential. */
export function requestHeaders({ facts, vendor, setting, model, policy, forwarded, clientHeader }: HeaderInput): Record<string, string> {
  const present = { ...vendor.headers?.(facts), ...forwarded }
  const claude = facts.format === 'anthropic-messages' ? joinedHeaders(policy.modelHeaders(model), present) : {}
  return { ...present, ...claude, ...overriddenHeaders(setting['header_override'], { key: facts.key, client: clientHeader }) }
}

/** True if the client's body is sent unchanged, by the site's option or the channel's setting. */
export function isPassThrough({ is_pass_through }: CallPolicy, setting: ChannelSnapshot['setting']): boolean {
  return is_pass_through || setting['pass_through_body_enabled'] === true
}
