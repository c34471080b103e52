import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const models = {
  /** Channel type, as text, to its preset models. */
  presets: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    summary: 'Preset models of each channel type',
    data: z.record(z.string(), z.array(z.string())),
  }),
}
