import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints } from '@tollgate/contracts/endpoints'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The patterns by which a proxy sends paths to the relay. */
const PROXIES: readonly (readonly [file: string, rule: RegExp])[] = [
  ['deploy/compose/haproxy.cfg', /^ *acl is_model_route path_reg (\S+)$/gm],
  ['docs/guides/running.md', /(?<!server_name console[^}]*)location ~ (\S+) \{ proxy_pass http:\/\/127\.0\.0\.1:3000; \}/g],
]

/** Paths that clients send for the relay's routes; `docs/guides/clients.md` promises the last ones. */
const paths = [
  ...new Set(
    globSync('services/relay/src/client-apis/**/*routes.ts', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/'(\/[^']*)'/g)].map(([, path = '']) => path.replace(/[:*]\w*/g, 'x')),
    ),
  ),
  '/mj-fast/mj/submit/imagine',
  '/mj-relax/mj/task/x/fetch',
  '/dashboard/billing/usage',
  '/v1/chat/completions/',
  '/v1//chat/completions',
  '//v1/chat/completions',
  '/v1/v1/chat/completions',
  '/v1beta/openai/chat/completions',
  '/v1alpha/models/x:generateContent',
  '/chat/completions',
  '/messages/count_tokens',
  '/models/x:generateContent',
  '/embeddings',
].filter((path) => path !== '/')

/** Endpoints of billing are routes of the relay. */
const consolePaths = [
  ...endpoints.map(({ path }) => path.replace(/\{\w+\}|:\w+/g, 'x')).filter((path) => !path.includes('/dashboard/billing/')),
  ...globSync('web/console/src/routes/**/*.tsx', { cwd: root }).map(toPage),
  '/assets/index.js',
]

/** The address of a route's file: folders and parts with `_` in front are left out, dots are slashes. */
function toPage(file: string): string {
  const parts = file
    .replace(/^web\/console\/src\/routes\//, '')
    .replace(/\.tsx$/, '')
    .split(/[/.]/)
  return `/${parts
    .filter((part) => !part.startsWith('_') && part !== 'index')
    .map((part) => part.replace(/^\$.*/, 'x'))
    .join('/')}`
}

describe.each(PROXIES)('the model routes of %s', (file, rule) => {
  const patterns = [...read(file).matchAll(rule)].map(([, pattern = '']) => new RegExp(pattern))
  const isSent = (path: string): boolean => patterns.some((pattern) => pattern.test(path))

  it('are all routes of the relay, in every spelling', () => {
    expect(paths.length).toBeGreaterThan(50)
    expect(paths.filter((path) => !isSent(path))).toEqual([])
  })

  it('are none of the console', () => {
    expect(consolePaths.length).toBeGreaterThan(200)
    expect(consolePaths.filter(isSent)).toEqual([])
  })
})

/** Routes that browsers and vendors open below the console's address. */
const OPENED = ['/v1/tasks/x/media/0', '/mj/image/x', '/mj/notify']

describe('the host name of the console', () => {
  it.each([
    ['docs/guides/running.md', /server_name console[^}]*location ~ (\S+) \{ proxy_pass http:\/\/127\.0\.0\.1:3000; \}/g],
    ['helm/tollgate/templates/ingress.yaml', /(\/[\w/]+)"/g],
  ])('sends media and callbacks of tasks to the relay in %s', (file, rule) => {
    const patterns = [...read(file).matchAll(rule)].map(([, pattern = '']) => new RegExp(pattern))

    expect(OPENED.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
  })
})
