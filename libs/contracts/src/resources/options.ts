import { z } from 'zod'
import { textOrNull } from '../common-schemas.ts'
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
  notes: endpoint({
    method: 'GET',
    path: '/api/option/notes',
    access: 'root',
    summary: 'Which options differ from the default and who changed them (ours)',
    data: z.array(OptionNote),
  }),
}
