import type { Endpoint } from './endpoint.ts'
import { channels } from './resources/channels.ts'
import { groups } from './resources/groups.ts'
import { logs } from './resources/logs.ts'
import { models } from './resources/models.ts'
import { options } from './resources/options.ts'
import { pricing } from './resources/pricing.ts'
import { self } from './resources/self.ts'
import { setup } from './resources/setup.ts'
import { signIn } from './resources/sign-in.ts'
import { status } from './resources/status.ts'
import { tokens } from './resources/tokens.ts'
import { users } from './resources/users.ts'

/** Every call of the control plane by resource. */
export const resources = { setup, status, signIn, self, users, groups, models, options, channels, tokens, logs, pricing } as const

/** The whole table, as one list. */
export const endpoints: readonly Endpoint[] = Object.values(resources).flatMap((resource): Endpoint[] => Object.values(resource))
