import type { LimitField } from '../../../ui/form/limits.ts'
import { objectOf, textOf } from './setting-text.ts'

const limitsOf = (setting: string): Readonly<Record<string, unknown>> => {
  const { limits } = objectOf(setting)
  return typeof limits === 'object' && limits !== null && !Array.isArray(limits) ? { ...limits } : {}
}

/** A limit in the channel's settings, as typed. */
export function limitOf(setting: string, name: LimitField): string {
  const stored = limitsOf(setting)[name]
  return typeof stored === 'number' || typeof stored === 'string' ? String(stored) : ''
}

/** The settings with another limit; an empty text removes it. */
export function withLimit(setting: string, name: LimitField, text: string): string {
  const { limits: _, ...rest } = objectOf(setting)
  const { [name]: __, ...others } = limitsOf(setting)
  const typed = text.replaceAll(/\D/g, '').slice(0, 12)
  const limits = typed === '' ? others : { ...others, [name]: Number(typed) }
  return textOf(Object.keys(limits).length === 0 ? rest : { ...rest, limits })
}
