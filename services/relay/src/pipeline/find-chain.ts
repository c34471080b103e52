import { chainAfter, fallbacksOf, type FallbackSource } from '@tollgate/contracts/relay/model-fallbacks'
import { findAffinityRule } from '@tollgate/domain/channel-choice/affinity-rules'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ModelChain } from '../request/admission.ts'
import { affinityHeaders } from '../request/affinity-headers.ts'
import type { Ended, Held, Parsed } from '../request/phases.ts'
import type { ServedModels } from '../response-state/served-models.ts'

type Deps = { readonly config: RuntimeConfig; readonly sample_seed: number; readonly servedModels: ServedModels }

/** Names the model that was asked for, in every answer to a request with a chain. */
export const REQUESTED_MODEL_HEADER = 'X-Tollgate-Requested-Model'

/**
 * The models that may answer in place of the requested one: the client's list, else that of its token, else the option's. Undefined for
 * most requests, which costs them three comparisons. A pinned channel and what only one account can continue have no chain.
 */
export function findChain(parsed: Parsed, deps: Deps): ModelChain | undefined | Promise<ModelChain> {
  const { caller, request } = parsed
  const { settings } = deps.config
  const own = request.fallback_models ?? caller.record.fallback_models
  if (own === undefined && settings.fallbacks === undefined) return undefined
  if (request.operation.canFallBack !== true || caller.pin !== undefined || request.conversation?.bound !== undefined) return undefined
  const found = listModels(parsed, deps.config)
  const asked = request.chat.model
  const models = found === undefined ? [] : chainAfter(asked, found.models)
  if (found === undefined || models.length === 0) return undefined
  parsed.context.reply.announce({ [REQUESTED_MODEL_HEADER]: encodeURI(asked).slice(0, MAX_HEADER) })
  const chain = { asked, by: found.by, models }
  const conversation = settings.is_affine ? conversationOf(parsed, deps) : undefined
  return conversation === undefined ? chain : withKept(parsed, { ...chain, conversation }, deps)
}

const MAX_HEADER = 500

type Found = { readonly by: FallbackSource; readonly models: readonly string[] }

function listModels({ caller: { record }, request }: Parsed, { settings }: RuntimeConfig): Found | undefined {
  if (request.fallback_models !== undefined) return { by: 'client', models: request.fallback_models }
  if (record.fallback_models !== undefined) return { by: 'token', models: record.fallback_models }
  const group = record.group === '' ? record.user_group : record.group
  return settings.fallbacks === undefined ? undefined : fallbacksOf(settings.fallbacks, { group, model: request.chat.model })
}

/** The same number that sends a conversation to one channel. */
function conversationOf({ context, caller, request }: Parsed, { config: { settings }, sample_seed }: Deps): number | undefined {
  const rule = findAffinityRule(settings.affinity_rules, { model: request.chat.model, path: context.path })
  return request.content.affinityKeyFor({
    user_id: caller.record.user_id,
    prompt_tokens: request.content.estimate(sample_seed),
    rule,
    headers: affinityHeaders(context, rule === undefined ? [] : [rule]),
  })
}

async function withKept(
  { context, caller }: Parsed,
  chain: ModelChain & { readonly conversation: number },
  { servedModels }: Deps,
): Promise<ModelChain> {
  context.permit.release()
  const { asked, conversation } = chain
  const kept = await servedModels.find({ user_id: caller.record.user_id, conversation, asked })
  return kept === undefined || !chain.models.includes(kept) ? chain : { ...chain, kept }
}

/** Keeps the conversation on the model that answered it. */
export function noteServed({ caller, admission, progress }: Held, ended: Ended, { servedModels }: Deps): void {
  const { chain } = admission
  if (chain?.conversation === undefined || ended.kind !== 'delivered' || ended.delivered.ended_by !== 'complete') return
  const { asked, conversation, kept } = chain
  const { model } = progress.calls.group
  const of = { user_id: caller.record.user_id, conversation, asked }
  if (model !== asked) void servedModels.keep(of, model)
  else if (kept !== undefined) void servedModels.forget(of)
}
