import { z } from 'zod'
import { defaultCacheRatio, defaultCompletionRatio, defaultModelPrice, defaultModelRatio } from './default-ratios.ts'
import { option, type Decoded } from './option.ts'

const RatioMap = z.record(z.string(), z.number().nonnegative())
const Numbers = z.record(z.string(), z.number())
const DEFAULT_GROUPS = { default: 1, svip: 1, vip: 1 }
const PRICED = { readBy: ['control-plane', 'relay', 'worker'], snapshotAs: 'prices' } as const
const GROUPED = { readBy: ['control-plane', 'relay', 'worker'], snapshotAs: 'groups' } as const

/** Prices, groups, gifts, payment and how money is shown. */
export const moneyOptions = {
  QuotaPerUnit: option.number({
    default: 500_000,
    min: 0.000001,
    unit: 'quota',
    publicAs: 'quota_per_unit',
    readBy: ['control-plane', 'relay', 'worker'],
  }),
  DisplayInCurrencyEnabled: option.flag({ default: true, publicAs: 'display_in_currency', readBy: ['control-plane', 'relay', 'worker'] }),
  DisplayTokenStatEnabled: option.flag({ default: true }),
  ModelRatio: option.json(RatioMap, { default: { ...defaultModelRatio }, ...PRICED }),
  ModelPrice: option.json(RatioMap, { default: { ...defaultModelPrice }, ...PRICED }),
  CompletionRatio: option.json(RatioMap, { default: { ...defaultCompletionRatio }, ...PRICED }),
  CacheRatio: option.json(RatioMap, { default: { ...defaultCacheRatio }, ...PRICED }),
  GroupRatio: option.json(Numbers, { default: DEFAULT_GROUPS, check: refuseNegativeGroup, ...GROUPED }),
  UserUsableGroups: option.json(z.record(z.string(), z.string()), { default: { default: '默认分组', vip: 'vip分组' }, ...GROUPED }),
  PreConsumedQuota: option.int({ default: 500, min: 0, unit: 'quota', readBy: ['relay'] }),
  /** Tokens held for the answer when the client states no limit; never below PreConsumedQuota. */
  HoldOutputTokens: option.int({ default: 4096, min: 0, unit: 'tokens', readBy: ['relay'] }),
  QuotaForNewUser: option.int({ default: 0, min: 0, unit: 'quota' }),
  QuotaForInviter: option.int({ default: 0, min: 0, unit: 'quota' }),
  QuotaForInvitee: option.int({ default: 0, min: 0, unit: 'quota' }),
  QuotaRemindThreshold: option.int({ default: 1000, min: 0, unit: 'quota', readBy: ['worker'] }),
  PayAddress: option.url({ default: '' }),
  EpayId: option.text({ default: '' }),
  EpayKey: option.text({ default: '', secret: true }),
  CustomCallbackAddress: option.url({ default: '' }),
  /** Money for one unit of quota. */
  Price: option.number({ default: 7.3, min: 0, publicAs: 'price' }),
  MinTopUp: option.int({ default: 1, min: 0, publicAs: 'min_topup' }),
  TopupGroupRatio: option.json(RatioMap, { default: DEFAULT_GROUPS, invalid: 'option.topup-group-json' }),
}

function refuseNegativeGroup(groups: Record<string, number>): Decoded<Record<string, number>> {
  const negative = Object.keys(groups).find((name) => (groups[name] ?? 0) < 0)
  return negative === undefined
    ? { kind: 'ok', value: groups }
    : { kind: 'refused', code: 'option.group-ratio', params: { group: negative } }
}
