import { z } from 'zod'
import { IdParams } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { NewToken } from './tokens.ts'
import { User } from './users.ts'

/** Calls of an administrator in the name of a user, or with the view of one. */
export const userAccess = {
  view: endpoint({
    method: 'POST',
    path: '/api/user/{id}/view',
    access: 'admin',
    needsProof: true,
    summary: 'Shows this browser the console as the user, for half an hour and without changes (ours)',
    params: IdParams,
    data: User,
  }),
  endView: endpoint({
    method: 'POST',
    path: '/api/user/view/end',
    access: 'session',
    isForViewers: true,
    summary: 'Ends the view, and answers with the own account again (ours)',
    data: User,
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/user/{id}/tokens',
    access: 'admin',
    needsProof: true,
    summary: 'Creates a token for a user, and answers once with its key (ours)',
    params: IdParams,
    body: NewToken,
    data: z.object({ id: z.int(), key: z.string() }),
  }),
}
