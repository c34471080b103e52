import { resources } from '../../libs/contracts/src/endpoints.ts'
import type { Endpoint } from '../../libs/contracts/src/endpoint.ts'
import { boundEndpoints } from './bound.ts'
import { code, page, table } from './markdown.ts'

export function renderEndpoints(): string {
  const bound = boundEndpoints()
  const all = Object.values(resources).flatMap((calls): Endpoint[] => Object.values(calls))
  const missing = all.filter((endpoint) => !bound.has(endpoint))
  const sections = Object.entries(resources).map(([name, calls]) => {
    const rows = Object.values(calls).map((endpoint: Endpoint) => [
      code(`${endpoint.method} ${endpoint.path}`),
      endpoint.access,
      [endpoint.limit === 'none' ? '' : `${endpoint.limit} limit`, endpoint.humanCheck ? 'human check' : '']
        .filter((word) => word !== '')
        .join(', '),
      bound.has(endpoint) ? 'yes' : '**no**',
      endpoint.summary,
    ])
    return `## ${name}\n\n${table(['Call', 'Access', 'Guards', 'Bound', 'What it does'], rows)}`
  })
  const open = missing.map((endpoint) => `- ${code(`${endpoint.method} ${endpoint.path}`)}`).join('\n')
  return page({
    title: 'Endpoints',
    about: 'Declared in `libs/contracts/src/resources`. Access: who may call; both spellings with and without trailing slash are served.',
    parts: [
      `${all.length} calls, ${all.length - missing.length} bound. Not bound, so they answer a failure in the envelope (${missing.length}):`,
      open,
      ...sections,
    ],
  })
}
