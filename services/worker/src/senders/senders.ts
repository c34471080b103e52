import { Budget } from '@tollgate/shares/budget'
import { createTargetRests, type TargetRests } from './target-rests.ts'

/** Senders of deliveries in this process, shared by all runs of the jobs. */
export type Senders = {
  readonly mail: Budget
  readonly webhook: Budget
  /** For endpoints of operators: users' webhooks never wait for them. */
  readonly event: Budget
  readonly rests: TargetRests
}

/**
 * A silent host holds a sender for seconds, so a user has two of them and a host eight, which may belong to many users. Mails go to one
 * server, which limits connections itself.
 */
export function createSenders(): Senders {
  return {
    mail: new Budget({ name: 'mails', total: 4, perUser: 2 }),
    webhook: new Budget({ name: 'webhooks', total: 32, perUser: 2, perAddress: 8 }),
    event: new Budget({ name: 'events', total: 16, perAddress: 4 }),
    rests: createTargetRests(),
  }
}
