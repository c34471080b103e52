import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** All values travel as text; secrets are never listed. */
export const OptionRow = z.object({ key: z.string(), value: z.string() })
export type OptionRow = z.infer<typeof OptionRow>

/** Ours: what the settings pages show beside the values. */
export const OptionNote = z.object({
  key: z.string(),
  /** Differs from the default. */
  is_changed: z.boolean(),
  /** Secrets: whether one is stored. */
  is_set: z.boolean(),
  is_secret: z.boolean(),
  updated_at: z.int(),
  /** Name of who changed it last; empty: unknown. */
  updated_by: z.string(),
})
export type OptionNote = z.infer<typeof OptionNote>

export const options = {
  list: endpoint({ method: 'GET', path: '/api/option/', access: 'root', summary: 'All options but secrets', data: z.array(OptionRow) }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'root',
    summary: 'Stores one option',
    body: z.object({ key: z.string(), value: z.string() }),
  }),
  resetModelRatio: endpoint({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'root',
    summary: 'Sets ModelRatio back to the default',
  }),
  notes: endpoint({
    method: 'GET',
    path: '/api/option/notes',
    access: 'root',
    summary: 'Which options differ from the default, who changed them (ours)',
    data: z.array(OptionNote),
  }),
}
