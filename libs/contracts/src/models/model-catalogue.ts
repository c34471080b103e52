import { z } from 'zod'

/** US dollars as plain decimal text, so that no price passes through a binary fraction. */
export const Dollars = z.string().regex(/^\d{1,12}(\.\d{1,18})?$/)

/** The classes of tokens that a vendor prices apart. */
export const PRICE_LINES = [
  'input',
  'output',
  /** Tokens of the answer that are reasoning, where the vendor prices them apart. */
  'reasoning',
  'cache_read',
  /** Written to the cache for five minutes, or for the only duration that the vendor offers. */
  'cache_write',
  /** Written to the cache for an hour or longer. */
  'cache_write_1h',
  'image_in',
  'image_cache_read',
  'image_out',
  'audio_in',
  'audio_cache_read',
  'audio_out',
  'video_in',
] as const
export type PriceLine = (typeof PRICE_LINES)[number]

/** US dollars per million tokens, by class. */
export const PriceLines = z.strictObject(Object.fromEntries(PRICE_LINES.map((line) => [line, Dollars.optional()])) as LineShape)
export type PriceLines = z.infer<typeof PriceLines>
type LineShape = { [Line in PriceLine]: z.ZodOptional<typeof Dollars> }

/** The lines of every prompt with more than `above` tokens; they price the whole request. */
export const PriceBand = z.strictObject({ above: z.int().positive(), lines: PriceLines })
export type PriceBand = z.infer<typeof PriceBand>

/** Prices of a processing tier; classes that it leaves out cost what they cost without the tier. */
export const TierPrice = z.strictObject({ lines: PriceLines, bands: z.array(PriceBand).optional() })
export type TierPrice = z.infer<typeof TierPrice>

/** Unit of one price: a million tokens by class, a character, a second of audio, a call or an image. */
export const PRICE_UNITS = ['token', 'character', 'second', 'call'] as const

const Day = z.iso.date()

/** Hours, in UTC, with other prices by class; classes that they leave out keep theirs. */
export const PriceHour = z.strictObject({
  days: z.array(z.int().min(1).max(7)).nonempty().optional(),
  from: z.string(),
  to: z.string(),
  lines: PriceLines,
})
export type PriceHour = z.infer<typeof PriceHour>

export const CataloguePrice = z.strictObject({
  /** The first day, in UTC, on which the price is charged; absent: today's price. */
  from: Day.optional(),
  unit: z.enum(PRICE_UNITS),
  /** US dollars of one unit; absent for tokens. */
  each: Dollars.optional(),
  lines: PriceLines,
  /** In ascending order of `above`. */
  bands: z.array(PriceBand).optional(),
  tiers: z.record(z.string(), TierPrice).optional(),
  hours: z.array(PriceHour).optional(),
  /** Where the price was read: catalogues by name, or the reason of a person's decision. */
  sources: z.array(z.string()).nonempty(),
})
export type CataloguePrice = z.infer<typeof CataloguePrice>

export const MODEL_MODES = [
  'chat',
  'embedding',
  'image',
  'speech',
  'transcription',
  'realtime',
  'moderation',
  'rerank',
  'video',
  'other',
] as const
export type ModelMode = (typeof MODEL_MODES)[number]

export const MODEL_ABILITIES = ['vision', 'audio', 'files', 'tools', 'reasoning', 'cache', 'schema', 'search'] as const
export type ModelAbility = (typeof MODEL_ABILITIES)[number]

/** A model of a maker's own API. */
export const CatalogueModel = z.strictObject({
  name: z.string().min(1).max(200),
  maker: z.string().min(1).max(60),
  mode: z.enum(MODEL_MODES),
  /** Names under which the maker serves the same model. */
  aliases: z.array(z.string().min(1).max(200)).optional(),
  /** The most tokens of a prompt, and of an answer. */
  max_input: z.int().positive().optional(),
  max_output: z.int().positive().optional(),
  abilities: z.array(z.enum(MODEL_ABILITIES)),
  /** The day on which the maker stops serving it. */
  retires: Day.optional(),
  successor: z.string().min(1).max(200).optional(),
  /** Today's price first, then known changes by day; empty: no source states one. */
  prices: z.array(CataloguePrice),
  /** The maker's page with the price. */
  page: z.string().max(400).optional(),
})
export type CatalogueModel = z.infer<typeof CatalogueModel>

/** A catalogue file, as an installation can read it from an address. */
export const ModelCatalogue = z.strictObject({
  format: z.literal('tollgate-catalogue-1'),
  /** The day on which the sources were read. */
  date: Day,
  models: z.array(CatalogueModel).max(20_000),
})
export type ModelCatalogue = z.infer<typeof ModelCatalogue>
