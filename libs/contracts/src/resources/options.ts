import { z } from 'zod'
import { textOrNull } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'

/** All values are sent as text; secrets are never listed. */
export const OptionRow = z.object({ key: z.string(), value: z.string() })
export type OptionRow = z.infer<typeof OptionRow>

/** Ours: metadata that the settings pages show beside the values. */
export const OptionNote = z.object({
  key: z.string(),
  /** The value differs from the default. */
  is_changed: z.boolean(),
  /** For a secret: whether a value is stored. */
  is_set: z.boolean(),
  is_secret: z.boolean(),
  updated_at: z.int(),
  /** Name of the user who changed it last; empty: not known. */
  updated_by: z.string(),
})
export type OptionNote = z.infer<typeof OptionNote>

/** The file of an export. Options with their default are in it too; secrets are sealed with a passphrase, or absent. */
export const OptionFile = z.object({
  format: z.literal('tollgate-options'),
  version: z.literal(1),
  exported_at: z.int(),
  options: z.record(z.string().max(200), z.string().max(1_000_000)),
  secrets: z.string().max(200_000).optional(),
})
export type OptionFile = z.infer<typeof OptionFile>

const ImportSource = z.object({
  /** The text of the file. */
  file: z.string().max(3_900_000),
  passphrase: z.string().max(200).optional(),
})

/** Effect of an import on one option. Values of secrets are not shown. */
export const ImportRow = z.object({
  key: z.string(),
  is_secret: z.boolean(),
  /** `unknown`: this version has no such option. */
  result: z.enum(['changed', 'same', 'refused', 'unknown']),
  before: z.string(),
  after: z.string(),
  /** Why it is refused; else empty. */
  message: z.string(),
})
export type ImportRow = z.infer<typeof ImportRow>

/** Parts that can be tried out with the stored settings. */
export const OUTSIDE_PARTS = ['turnstile', 'proxy', 'payment', 'stripe'] as const
export type OutsidePart = (typeof OUTSIDE_PARTS)[number]

/** `missing`: a setting is empty. `refused`: the other side answers and does not accept the key. `unexpected`: it is something else. */
export const OutsideResult = z.object({
  outcome: z.enum(['works', 'missing', 'unreachable', 'refused', 'unexpected']),
  /** Answer of the other side, shortened; empty without one. */
  detail: z.string(),
  time_ms: z.number(),
})
export type OutsideResult = z.infer<typeof OutsideResult>

export const ImportResult = z.object({ key: z.string(), is_stored: z.boolean(), message: z.string() })
export type ImportResult = z.infer<typeof ImportResult>

export const options = {
  list: endpoint({ method: 'GET', path: '/api/option/', access: 'root', summary: 'All options except secrets', data: z.array(OptionRow) }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'root',
    summary: 'Stores one option',
    /** Without a value, a secret is unchanged and another option becomes empty: forms send no field for an input left blank. */
    body: z.object({
      key: z.string().max(200),
      value: textOrNull(1_000_000),
      /** Ours: the value that the administrator saw. The option is stored only while it still has this value. */
      was: textOrNull(1_000_000),
    }),
  }),
  resetModelRatio: endpoint({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'root',
    summary: 'Resets ModelRatio to the default',
  }),
  testOutside: endpoint({
    method: 'POST',
    path: '/api/option/test',
    access: 'root',
    summary: 'Tries the stored settings of a service outside (ours)',
    body: z.object({ part: z.enum(OUTSIDE_PARTS) }),
    data: OutsideResult,
  }),
  exportFile: endpoint({
    method: 'POST',
    path: '/api/option/export',
    access: 'root',
    summary: 'All options with their secrets, sealed with a passphrase (ours)',
    needsProof: true,
    body: z.object({ passphrase: z.string().min(12).max(200) }),
    data: OptionFile,
  }),
  previewImport: endpoint({
    method: 'POST',
    path: '/api/option/import/preview',
    access: 'root',
    summary: 'What an import of options would change; nothing is stored (ours)',
    body: ImportSource,
    data: z.object({ rows: z.array(ImportRow), has_secrets: z.boolean() }),
  }),
  importFile: endpoint({
    method: 'POST',
    path: '/api/option/import',
    access: 'root',
    summary: 'Stores chosen options of a file, each like a single change (ours)',
    body: ImportSource.extend({
      /** `was` is the value that the preview showed; a secret has none. */
      changes: z.array(z.object({ key: z.string().max(200), was: z.string().max(1_000_000).optional() })).max(1000),
    }),
    data: z.array(ImportResult),
  }),
  notes: endpoint({
    method: 'GET',
    path: '/api/option/notes',
    access: 'root',
    summary: 'Which options differ from the default and who changed them (ours)',
    data: z.array(OptionNote),
  }),
}
