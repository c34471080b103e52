import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const models = {
  /** Preset models by channel type (as text). */
  presets: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    right: 'account.read',
    summary: 'Preset models of each channel type',
    data: z.record(z.string(), z.array(z.string())),
  }),
}
