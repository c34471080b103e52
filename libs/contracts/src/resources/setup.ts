import { z } from 'zod'
import { textOf } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'

export const SetupStatus = z.object({
  status: z.boolean(),
  root_init: z.boolean(),
  /** Empty after setup. */
  database_type: z.string(),
  /** Ours: this caller must send the one-time code printed at startup. */
  needs_code: z.boolean(),
})
export type SetupStatus = z.infer<typeof SetupStatus>

export const SetupBody = z.object({
  username: textOf(200),
  password: textOf(1000),
  confirmPassword: textOf(1000),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
  /** Ours: the code from `/setup?code=…`. */
  code: z.string().max(200).optional(),
})
export type SetupBody = z.infer<typeof SetupBody>

/** State of the checklist on root's home page; each step has what the next one needs. */
export const FirstRun = z.object({
  channel: z.object({ id: z.int(), name: z.string(), model: z.string() }).nullable(),
  tested_channel: z.object({ id: z.int(), time_ms: z.int() }).nullable(),
  /** An enabled model that has a price or that self-use mode allows. */
  priced_model: z.string().nullable(),
  /** Enabled models whose requests are refused because they have no price or ratio, at most 20. */
  unpriced_models: z.array(z.string()),
  token: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** The id is 0, and the time that of its hour, while the log store does not answer. */
  request: z.object({ id: z.int(), created_at: z.int(), model_name: z.string() }).nullable(),
})
export type FirstRun = z.infer<typeof FirstRun>

export const setup = {
  get: endpoint({ method: 'GET', path: '/api/setup', access: 'public', summary: 'Whether the system has been set up', data: SetupStatus }),
  create: endpoint({
    method: 'POST',
    path: '/api/setup',
    access: 'public',
    summary: 'Sets the system up: root account and usage mode',
    limit: 'critical',
    body: SetupBody,
  }),
  firstRun: endpoint({
    method: 'GET',
    path: '/api/setup/first-run',
    access: 'root',
    summary: 'State of the first-run checklist (ours)',
    data: FirstRun,
  }),
}
