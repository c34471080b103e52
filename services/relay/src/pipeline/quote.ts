import { AppError } from '@tollgate/contracts/app-error'
import type { Quote } from '@tollgate/contracts/quote'
import { noCounts } from '@tollgate/contracts/text-counts'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimateTokens, familyOf } from '@tollgate/domain/pricing/estimate'
import { holdFor } from '@tollgate/domain/pricing/hold'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import type { Book } from '../book.ts'
import type { Visit } from '../visit.ts'
import type { Admission } from './admit.ts'
import type { Caller } from './identify.ts'
import type { Ask } from './read.ts'

/** The numbers a charge depends on, taken once, and what they mean for the hold. */
export type Offer = {
  readonly quote: Quote
  readonly prompt_tokens: number
  readonly want: number
  readonly least: number
}

type Input = { readonly caller: Caller; readonly ask: Ask; readonly admission: Admission }

/** Prices the request from the snapshot. A missing price refuses it, unless self-use mode or the user's own setting says otherwise. */
export function quote(visit: Visit, { caller, ask, admission }: Input, { book }: { readonly book: Book }): Offer {
  visit.clock.enter('quote')
  const { settings, snapshot } = book
  const { chat } = ask
  const found = quoteFor({
    model: chat.model,
    group: admission.group,
    prices: (model) => snapshot.prices.get(model),
    group_ratio: admission.group_ratio,
    quota_per_unit: settings.quota_per_unit,
    price_version: snapshot.version,
    isUnpricedAllowed: settings.is_self_use || caller.record.accept_unset_model_ratio_model,
  })
  if (found === 'unpriced') throw new AppError('model.unpriced', { model: chat.model })
  const prompt_tokens = estimatePrompt(ask)
  const hold = holdFor(found, {
    prompt_tokens,
    max_tokens: chat.max_tokens,
    hold_output_tokens: settings.hold_output_tokens,
    pre_consumed: settings.pre_consumed_quota,
    classes: chat.classes,
  })
  return { quote: found, prompt_tokens, ...hold }
}

function estimatePrompt({ chat }: Ask): number {
  const family = familyOf(chat.model)
  let tokens = chat.extra_tokens
  for (const text of chat.texts) tokens += estimateText(text, family)
  for (const text of chat.tool_texts) tokens += estimateText(text, family)
  return tokens
}

/** Long texts are judged by four samples: counting every character of 50 KB would cost as much as the rest of the request. */
const SAMPLE = 1024
const SAMPLES = 4

function estimateText(text: string, family: ReturnType<typeof familyOf>): number {
  const counts = noCounts()
  if (text.length <= SAMPLE * SAMPLES) {
    countInto(counts, text)
    return estimateTokens(counts, family)
  }
  const step = (text.length - SAMPLE) / (SAMPLES - 1)
  for (let at = 0; at < SAMPLES; at += 1) countInto(counts, text.substring(Math.floor(at * step), Math.floor(at * step) + SAMPLE))
  return Math.ceil(estimateTokens(counts, family) * (text.length / (SAMPLE * SAMPLES)))
}
