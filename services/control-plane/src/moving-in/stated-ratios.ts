import type { ClassDollars } from '@tollgate/contracts/moving-in/records'
import { isRatio } from '@tollgate/contracts/options/price-maps'

/** The option map of each class of tokens, the field of a price card for it, and the class that it is relative to. */
const CLASSES = {
  CompletionRatio: { dollars: 'output', field: 'completion_ratio', of: 'input' },
  CacheRatio: { dollars: 'cache_read', field: 'cache_ratio', of: 'input' },
  CreateCacheRatio: { dollars: 'cache_write', field: 'cache_creation_ratio', of: 'input' },
  CreateCacheRatio1h: { dollars: 'cache_write_1h', field: 'cache_creation_1h_ratio', of: 'input' },
  ImageRatio: { dollars: 'image_in', field: 'image_ratio', of: 'input' },
  AudioRatio: { dollars: 'audio_in', field: 'audio_ratio', of: 'input' },
  AudioCompletionRatio: { dollars: 'audio_out', field: 'audio_completion_ratio', of: 'audio_in' },
} as const satisfies Record<string, { readonly dollars: keyof ClassDollars; readonly field: string; readonly of: keyof ClassDollars }>
export type ClassMap = keyof typeof CLASSES

// Object.keys widens; the keys of the table above are of type ClassMap.
export const CLASS_MAPS = Object.keys(CLASSES) as readonly ClassMap[]

/** Maps of this gateway whose entries would change a price that is stated whole. */
export const UNSTATED_MAPS = ['ReasoningRatio', 'ImageCacheRatio', 'ImageCompletionRatio', 'VideoRatio', 'AudioCacheRatio'] as const

export type DollarRatios = {
  readonly model_ratio: number
  readonly maps: Partial<Readonly<Record<ClassMap, number>>>
  /** The same by the names of a price card. */
  readonly fields: Readonly<Record<string, number>>
  /** The class whose price no ratio can say: it is out of range, or relative to one that is free. Absent: all can be said. */
  readonly refusal?: string
}

/** Two dollars for a million prompt tokens are a ratio of 1. */
const DOLLARS_OF_RATIO = 2

/** Twelve digits: a quotient such as 15 / 7 has no end. */
const exact = (value: number): number => Number(value.toPrecision(12))

export function ratiosOfDollars(dollars: ClassDollars): DollarRatios {
  const maps: Partial<Record<ClassMap, number>> = {}
  const fields: Record<string, number> = {}
  for (const key of CLASS_MAPS) {
    const { dollars: name, field, of } = CLASSES[key]
    const [price, base] = [dollars[name], dollars[of] ?? 0]
    if (price === undefined) continue
    if (base === 0 && price !== 0) return { model_ratio: 0, maps, fields, refusal: `${name} ${price}, ${of} 0` }
    const ratio = base === 0 ? 1 : exact(price / base)
    if (!isRatio(ratio)) return { model_ratio: 0, maps, fields, refusal: `${name} ${price}, ${of} ${base}` }
    maps[key] = ratio
    fields[field] = ratio
  }
  const model_ratio = exact(dollars.input / DOLLARS_OF_RATIO)
  return isRatio(model_ratio) ? { model_ratio, maps, fields } : { model_ratio: 0, maps, fields, refusal: `input ${dollars.input}` }
}
