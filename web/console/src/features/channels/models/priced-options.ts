import { allowsOption, PRICED_OPTIONS, type PricedOption } from '@tollgate/contracts/pricing/priced-options'
import { objectOf, textOf } from '../form/setting-text.ts'

export const pricedOptions = Object.keys(PRICED_OPTIONS) as readonly PricedOption[] // Object.keys widens

export function hasOption(setting: string, option: PricedOption): boolean {
  return allowsOption({ setting: objectOf(setting) }, option)
}

/** The settings with the switch of an option; off needs no key. */
export function withOption(setting: string, option: PricedOption, isAllowed: boolean): string {
  const key = PRICED_OPTIONS[option].setting
  const { [key]: _, ...rest } = objectOf(setting)
  return textOf(isAllowed ? { ...rest, [key]: true } : rest)
}
