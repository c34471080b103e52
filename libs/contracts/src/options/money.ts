import { z } from 'zod'
import { defaultPrices, defaultToolPrices } from './default-ratios.ts'
import { MAX_CHARGE, MAX_QUOTA } from '../units.ts'
import { defaultVideoUnits, VideoUnits } from '../pricing/video-units.ts'
import { option, type Decoded } from './option.ts'
import {
  Numbers,
  PriceCards,
  PriceHours,
  RatioMap,
  refuseEndlessWindows,
  refuseRepeatedCards,
  refuseToolKeys,
  TierFactors,
} from './price-maps.ts'

const DEFAULT_GROUPS = { default: 1, svip: 1, vip: 1 }
const WRONG = { mismatch: 'option.ratio' } as const
const PRICED = { readBy: ['control-plane', 'relay', 'worker'], snapshotAs: 'prices' } as const
const GROUPED = { readBy: ['control-plane', 'relay', 'worker'], snapshotAs: 'groups' } as const

/** Prices, groups, credits, payment and the display of money. */
export const moneyOptions = {
  QuotaPerUnit: option.number({
    default: 500_000,
    isRefusedBy400: true,
    min: 0.000001,
    max: 1_000_000_000_000,
    unit: 'quota',
    publicAs: 'quota_per_unit',
    readBy: ['control-plane', 'relay', 'worker'],
  }),
  DisplayInCurrencyEnabled: option.flag({ default: true, publicAs: 'display_in_currency', readBy: ['control-plane', 'relay', 'worker'] }),
  DisplayTokenStatEnabled: option.flag({ default: true, readBy: ['control-plane', 'relay'] }),
  ModelRatio: option.json(RatioMap, { default: defaultPrices.ModelRatio, ...WRONG, ...PRICED }),
  ModelPrice: option.json(RatioMap, { default: defaultPrices.ModelPrice, ...WRONG, ...PRICED }),
  CompletionRatio: option.json(RatioMap, { default: defaultPrices.CompletionRatio, ...WRONG, ...PRICED }),
  /** Tokens of the answer that are reasoning, relative to prompt tokens; default for a missing model: the completion ratio. */
  ReasoningRatio: option.json(RatioMap, { default: defaultPrices.ReasoningRatio, ...WRONG, ...PRICED }),
  CacheRatio: option.json(RatioMap, { default: defaultPrices.CacheRatio, ...WRONG, ...PRICED }),
  /** Prompt tokens written to the cache for five minutes; default for a missing model: 1.25. */
  CreateCacheRatio: option.json(RatioMap, { default: defaultPrices.CreateCacheRatio, ...WRONG, ...PRICED }),
  /** Prompt tokens written to the cache for an hour; default for a missing model: 1.6 times the ratio above. */
  CreateCacheRatio1h: option.json(RatioMap, { default: defaultPrices.CreateCacheRatio1h, ...WRONG, ...PRICED }),
  /** Image prompt tokens; default for a missing model: 1. */
  ImageRatio: option.json(RatioMap, { default: defaultPrices.ImageRatio, ...WRONG, ...PRICED }),
  /** Cached image tokens, relative to prompt text tokens; default for a missing model: the cache ratio. */
  ImageCacheRatio: option.json(RatioMap, { default: defaultPrices.ImageCacheRatio, ...WRONG, ...PRICED }),
  /** Generated image tokens; default for a missing model: the completion ratio. */
  ImageCompletionRatio: option.json(RatioMap, { default: defaultPrices.ImageCompletionRatio, ...WRONG, ...PRICED }),
  /** Video prompt tokens; default for a missing model: 1. */
  VideoRatio: option.json(RatioMap, { default: defaultPrices.VideoRatio, ...WRONG, ...PRICED }),
  /** Audio prompt tokens; a missing model gets a default by its name. */
  AudioRatio: option.json(RatioMap, { default: defaultPrices.AudioRatio, ...WRONG, ...PRICED }),
  /** Cached audio tokens, relative to prompt text tokens; default for a missing model: the cache ratio. */
  AudioCacheRatio: option.json(RatioMap, { default: defaultPrices.AudioCacheRatio, ...WRONG, ...PRICED }),
  /** Audio tokens of the answer, relative to audio prompt tokens; default for a missing model: 2. */
  AudioCompletionRatio: option.json(RatioMap, { default: defaultPrices.AudioCompletionRatio, ...WRONG, ...PRICED }),
  /** Ratios by model for prompts longer than `above` tokens; one card prices the whole request. */
  PriceCards: option.json(PriceCards, {
    default: defaultPrices.PriceCards,
    mismatch: 'option.price-card',
    check: refuseRepeatedCards,
    ...PRICED,
  }),
  /**
   * Price factors of processing tiers by model, `*` for all others: `{"gpt-5": {"priority": 2, "flex": 0.5}}`. Factors by class:
   * `{"gemini-2.5-pro": {"flex": {"model_ratio": 0.5, "cache_ratio": 1}}}`.
   */
  TierRatio: option.json(TierFactors, { default: defaultPrices.TierRatio, ...WRONG, ...PRICED }),
  /** Hours of the week, in UTC, with another price, by model: `{"m": [{"days": [1, 2], "from": "01:00", "to": "04:00", "ratio": 0.5}]}`. */
  PriceHours: option.json(PriceHours, {
    default: defaultPrices.PriceHours,
    mismatch: 'option.price-hours',
    check: refuseEndlessWindows,
    ...PRICED,
  }),
  /** Requires a price of the output of a model that answers with text; off: a ratio by its name, else 1, completes a price without one. */
  OutputPriceRequired: option.flag({ default: false, readBy: ['control-plane', 'relay'] }),
  /** Models that are not for sale: nothing reminds of their missing price. One that has a price is sold whatever stands here. */
  UnsoldModels: option.lines({ default: [], readBy: ['control-plane'] }),
  /** Lets prices that were taken from the catalogue follow it, within bounds. */
  PriceRefreshEnabled: option.flag({ default: false, readBy: ['worker'] }),
  /** The catalogue that the refresh reads; empty: the one of the running version. */
  PriceCatalogueAddress: option.url({ default: '', readBy: ['worker'] }),
  /** The largest change that a refresh takes when only one source states it. */
  PriceRefreshMaxChange: option.number({ default: 50, min: 0, max: 1900, unit: 'percent', readBy: ['worker'] }),
  /** US dollars per 1 000 calls by `tool[/variant][:model]`. A tool without an entry costs nothing except its tokens. */
  'tool_price_setting.prices': option.json(RatioMap, {
    default: { ...defaultToolPrices },
    ...WRONG,
    check: refuseToolKeys,
    readBy: ['relay'],
  }),
  /** Unit of the price of a video, by model. */
  'video_price_setting.units': option.json(VideoUnits, { default: { ...defaultVideoUnits }, ...WRONG, readBy: ['relay'] }),
  GroupRatio: option.json(Numbers, { default: DEFAULT_GROUPS, ...WRONG, check: refuseNegativeGroup, ...GROUPED }),
  /** Ratio that replaces the request group's, by group of the user, then group of the request. */
  GroupGroupRatio: option.json(z.record(z.string(), RatioMap), { default: {}, ...WRONG, ...GROUPED }),
  /** Ratio that replaces the group's for one model, by group of the request, then model, which may end in `*`. */
  GroupModelRatio: option.json(z.record(z.string(), RatioMap), { default: {}, ...WRONG, ...GROUPED }),
  UserUsableGroups: option.json(z.record(z.string(), z.string()), { default: { default: '默认分组', vip: 'vip分组' }, ...GROUPED }),
  /** The groups that a token of group `auto` tries, in this order, if its user may use them. */
  AutoGroups: option.json(z.array(z.string()), { default: ['default'], readBy: ['relay', 'worker'] }),
  PreConsumedQuota: option.int({ default: 500, isRefusedBy400: true, min: 0, max: MAX_CHARGE, unit: 'quota', readBy: ['relay'] }),
  /** Tokens held for the answer when the client sets no limit; the hold is never below PreConsumedQuota. */
  HoldOutputTokens: option.int({ default: 4096, isRefusedBy400: true, min: 0, max: 1_000_000_000, unit: 'tokens', readBy: ['relay'] }),
  QuotaForNewUser: option.int({ default: 0, isRefusedBy400: true, min: 0, max: MAX_CHARGE, unit: 'quota' }),
  QuotaForInviter: option.int({ default: 0, isRefusedBy400: true, min: 0, max: MAX_CHARGE, unit: 'quota' }),
  QuotaForInvitee: option.int({ default: 0, isRefusedBy400: true, min: 0, max: MAX_CHARGE, unit: 'quota' }),
  QuotaRemindThreshold: option.int({
    default: 1000,
    isRefusedBy400: true,
    min: 0,
    max: MAX_QUOTA,
    unit: 'quota',
    publicAs: 'quota_remind_threshold',
    readBy: ['control-plane', 'worker'],
  }),
  /** Users get what they spent in the last week, every Monday (UTC), unless their own setting says no. */
  WeeklyReportEnabled: option.flag({ default: false, readBy: ['worker'] }),
  PayAddress: option.url({ default: '', readBy: ['control-plane', 'worker'] }),
  EpayId: option.text({ default: '', readBy: ['control-plane', 'worker'] }),
  EpayKey: option.text({ default: '', secret: true, readBy: ['control-plane', 'worker'] }),
  CustomCallbackAddress: option.url({ default: '' }),
  /** Price of one US dollar of quota, in the currency of payment. */
  Price: option.number({ default: 7.3, min: 0, max: 1_000_000, publicAs: 'price', readBy: ['control-plane', 'worker'] }),
  MinTopUp: option.int({ default: 1, min: 0, max: 1_000_000_000, publicAs: 'min_topup', readBy: ['control-plane', 'worker'] }),
  TopupGroupRatio: option.json(RatioMap, { default: DEFAULT_GROUPS, ...WRONG, invalid: 'option.topup-group-json' }),
  /** Amounts that the wallet offers, as they are typed there. */
  'payment_setting.amount_options': option.json(z.array(z.int().min(1).max(1_000_000_000)).max(12), {
    default: [10, 20, 50, 100, 200, 500],
  }),
  /** Factors of the price by amount in US dollars: `{"100": 0.95}`. */
  'payment_setting.amount_discount': option.json(z.record(z.string(), z.number().min(0.01).max(1)), { default: {}, ...WRONG }),
  StripeApiSecret: option.text({ default: '', secret: true, readBy: ['control-plane', 'worker'] }),
  /** Signing secret of the webhook, `whsec_…`. */
  StripeWebhookSecret: option.text({ default: '', secret: true, readBy: ['control-plane', 'worker'] }),
  /** Currency of Stripe payments, in lower case. */
  StripeCurrency: option.text({ default: 'usd', check: currencyOf, readBy: ['control-plane', 'worker'] }),
  /** Price of one US dollar of quota, in the currency of Stripe payments. */
  StripeUnitPrice: option.number({ default: 1, min: 0, max: 1_000_000, readBy: ['control-plane', 'worker'] }),
  StripeMinTopUp: option.int({ default: 1, min: 1, max: 1_000_000_000, readBy: ['control-plane', 'worker'] }),
  StripeApiAddress: option.url({ default: 'https://api.stripe.com', readBy: ['control-plane', 'worker'] }),
}

function currencyOf(text: string): Decoded<string> {
  const currency = text.trim().toLowerCase()
  return /^[a-z]{3}$/.test(currency) ? { kind: 'ok', value: currency } : { kind: 'refused', code: 'option.currency', params: {} }
}

function refuseNegativeGroup(groups: Record<string, number>): Decoded<Record<string, number>> {
  const negative = Object.keys(groups).find((name) => (groups[name] ?? 0) < 0)
  return negative === undefined
    ? { kind: 'ok', value: groups }
    : { kind: 'refused', code: 'option.group-ratio', params: { group: negative } }
}
