import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UsableGroups } from './self.ts'

export const groups = {
  list: endpoint({ method: 'GET', path: '/api/group/', access: 'admin', summary: 'Names of all groups', data: z.array(z.string()) }),
  usable: endpoint({
    method: 'GET',
    path: '/api/user/groups',
    access: 'public',
    summary: 'Groups that a visitor may use',
    data: UsableGroups,
  }),
}
