import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { endpointsWithoutSchemas } from './scripts/endpoints-without-schemas.ts'
import { relativeRouteImports } from './scripts/relative-route-imports.ts'

// The control plane of `npm run dev`; the built console is served by it and needs no proxy.
const CONTROL_PLANE = process.env['CONTROL_PLANE_ORIGIN'] ?? 'http://127.0.0.1:3001'

/**
 * Few files that several pages share. Left to itself, the bundler cuts along every difference between two pages, and a page then takes
 * 60 requests.
 */
const GROUPS = [
  // Needed by every visit before the route is known.
  { name: 'app', tags: ['$initial' as const], priority: 6 },
  // Apart from what needs no more of contracts than paths and constants.
  { name: 'schemas', test: /node_modules\/zod\/|\?schemas$|libs\/contracts\/src\/relay\/limits\.ts/, priority: 7 },
  // Needed by every amount shown. It is named, because else it joins the vendors' presets, which few pages need.
  { name: 'amounts', test: /libs\/contracts\/src\/(units|pricing\/(ratios|quote)|values\/json-depth)\.ts/, priority: 6, minShareCount: 2 },
  // The base of all widgets. It is named, because else the rule for shared code mixes it with widgets that few pages use.
  {
    name: 'base',
    test: new RegExp(
      [
        '@zag-js/(core|react|utils|dom-query|anatomy|dismissable|interact-outside|focus-visible|presence|rect-utils)/',
        '@ark-ui/react/dist/(utils|components/(factory|field|presence))',
        '@chakra-ui/react/dist/esm/(styled-system|components/(field|icon|alert|grid|link|stack))',
        'console/src/ui/(form/text-field|display/icon-button)',
        // Both the menu and the pages before sign-in show them; they must not bring the one to the other.
        'lucide-react/dist/esm/icons/(users|key-round|eye)[.]',
      ].join('|'),
    ),
    priority: 5,
    minShareCount: 3,
  },
  // Shared by the pages before sign-in. It is named, because else the rule for shared code mixes it with small parts of the console.
  {
    name: 'entrance',
    test: /console\/src\/(features\/(setup|sign-in|registration)\/|ui\/(third-party\/provider-icon|page\/entrance)|lib\/third-party)/,
    priority: 4.5,
    minShareCount: 2,
  },
  // A leaf: tables of icons are read while modules load, so no chunk that icons depend on may depend on them.
  { name: 'icons', test: /node_modules\/lucide-react\//, priority: 3, minShareCount: 2 },
  { name: 'menu', test: /node_modules.*\/(menu|popper)\/|@floating-ui/, priority: 3, minShareCount: 2 },
  {
    name: 'dialog',
    test: /@zag-js\/(dialog|focus-trap|aria-hidden|remove-scroll)\/|components\/(dialog|drawer)\//,
    priority: 4,
    minShareCount: 2,
  },
  // Left to the rule for shared code, it is mixed with the form of users, and the set-up page then loads the whole console.
  { name: 'radio', test: /@zag-js\/radio-group\/|components\/(radio-group|radiomark)\//, priority: 3, minShareCount: 2 },
  { name: 'catalogue', test: /libs\/providers\/src\//, priority: 2, minShareCount: 2 },
  { name: 'virtual', test: /@tanstack\/(react-virtual|virtual-core)\//, priority: 3 },
  // Frames and small parts that pages for visitors have too, which have no lists.
  {
    name: 'display',
    test: /console\/src\/ui\/(display\/(copy-button|delivery-tag|facts-list|number-text|quota-text|tone-)|page\/(operator-content|page|panel|states))|console\/src\/(i18n\/change-language|lib\/(operator-content|client-address|percent-text))|domain\/src\/text-unit/,
    priority: 2.5,
    minShareCount: 2,
  },
  // Pictures of answers and tasks, which the first pages do not show.
  { name: 'images', test: /console\/src\/(ui\/display\/(remote|result)-image|lib\/image-hosts)/, priority: 2.5, minShareCount: 2 },
  // Editors of one thing, which no list needs. After the small parts, which both need.
  {
    name: 'forms',
    test: /react-hook-form\/|console\/src\/ui\/form\/(use-resource-form|form-drawer|leave-guard)/,
    priority: 1.5,
    minShareCount: 2,
  },
  // Texts of the clients' files and commands, for pages about keys only.
  {
    name: 'clients',
    test: /libs\/domain\/src\/clients\/(?!cherry-studio)|console\/src\/ui\/display\/client-/,
    priority: 1.4,
    minShareCount: 2,
  },
  // Our own small parts, which nearly every console page has.
  {
    name: 'console',
    // Not what a few pages show: sentences of the log, snippets with their tabs, bars of progress, and HTML that must be made safe.
    test: /console\/src\/(app\/shell\/(?!palette)|lib\/(chat-links|saying)|ui\/(overlay\/(confirm-dialog|use-confirm|detail-drawer|use-return-focus)|display\/(?!client-|log-other|progress-|refusal-view|safe-|snippet|markdown|operator-markup|audit-changes|use-audit-texts|delivery-tag)|form\/(pick-list|time-box)|list|page))|libs\/domain\/src\/display\/(?!account-text)/,
    priority: 2,
    minShareCount: 2,
  },
  // Shared by the log, the channels and the settings; it must not bring these along.
  {
    name: 'logging',
    test: /console\/src\/ui\/(form\/json-text|overlay\/clear-logs-dialog|display\/(log-other|refusal-view))/,
    priority: 2.6,
    minShareCount: 2,
  },
  // Small calls of many pages. They are named, because else they join the settings, which few of these pages need.
  {
    name: 'calls',
    test: /libs\/contracts\/src\/resources\/(deliveries|exports|limits|receipts|user-access)\.ts$/,
    priority: 2.6,
    minShareCount: 2,
  },
  // The list of tokens must not bring the snippets, whose pages show token names too.
  { name: 'tokens', test: /features\/tokens\/token-display/, priority: 2, minShareCount: 2 },
  { name: 'popover', test: /@zag-js\/popover\/|components\/popover\//, priority: 3, minShareCount: 2 },
  // Fields that lists do not have.
  { name: 'fields', test: /console\/src\/ui\/form\/(secret-field|labelled-field|tag-select|pick-box)/, priority: 1.6, minShareCount: 2 },
  // Shared by a list and its drawers; apart, so that the list does not bring a drawer's form.
  {
    name: 'channels',
    test: /features\/channels\/(channel-display|list\/numbers|health\/health(-cells)?|runs\/use-test)\.tsx?/,
    priority: 2,
  },
  // Shared by two drawers of channels. Named, because else it may be mixed with texts of operators, which then bring the channels along.
  {
    name: 'batches',
    test: /features\/channels\/models\/apply-models|contracts\/src\/resources\/channel-batches\.ts$/,
    priority: 2,
    minShareCount: 2,
  },
  { name: 'users', test: /features\/users\/(user-display|api|form)\.ts|contracts\/src\/resources\/users\.ts$/, priority: 2 },
  // Tools for prices and settings, which share an input of time with the lists and would bring the lists their price rules.
  { name: 'prices', test: /features\/settings\/|ui\/settings\/|contracts\/src\/resources\/prices\.ts$/, priority: 2, minShareCount: 2 },
  // One line that search fields and the JSON editor share. It is named, because else it joins the editor.
  { name: 'text-unit', test: /libs\/domain\/src\/text-unit\.ts$/, priority: 2, minShareCount: 2 },
  { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 5_500, priority: 1 },
]

export default defineConfig({
  plugins: [
    endpointsWithoutSchemas(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: false,
      addExtensions: true,
      routeFileIgnorePattern: '\\.test\\.',
    }),
    react(),
    relativeRouteImports(),
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|html|svg|json)$/, threshold: 512, logLevel: 'silent' }),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Seven digits tell builds apart (42 bits); the first page names 250 files.
      // The sign-in page lists the name of every chunk, so they are short.
      output: {
        codeSplitting: { groups: GROUPS },
        chunkFileNames: ({ name }) => `assets/${/^[^~]{0,5}/.exec(name)?.[0] ?? ''}-[hash:7].js`,
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': CONTROL_PLANE, '/pg': CONTROL_PLANE },
  },
})
