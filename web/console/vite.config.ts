import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { endpointsWithoutSchemas } from './scripts/endpoints-without-schemas.ts'

// The control plane of `npm run dev`; the built console is served by it and needs no proxy.
const CONTROL_PLANE = process.env['CONTROL_PLANE_ORIGIN'] ?? 'http://127.0.0.1:3001'

/**
 * Few files that several pages share. Left to itself, the bundler cuts along every difference between two pages, and a page then takes
 * 60 requests.
 */
const GROUPS = [
  // What every visit needs before the route is known.
  { name: 'app', tags: ['$initial' as const], priority: 4 },
  // What all widgets build on. It is named, because else the rule for shared code mixes it with widgets that few pages use.
  {
    name: 'base',
    test: new RegExp(
      [
        '@zag-js/(core|react|utils|dom-query|anatomy|dismissable|interact-outside|focus-visible|presence|rect-utils)/',
        '@ark-ui/react/dist/(utils|components/(factory|field|presence))',
        '@chakra-ui/react/dist/esm/(styled-system|components/(field|icon|alert))',
      ].join('|'),
    ),
    priority: 3,
    minShareCount: 3,
  },
  // Icons build on nothing of ours. In a shared file beside modules they close circles of files, and an icon is undefined when it is read.
  { name: 'icons', test: /lucide-react\/dist\/esm\/icons/, minShareCount: 2, priority: 2 },
  { name: 'menu', test: /node_modules.*\/(menu|popper)\/|@floating-ui/, priority: 2 },
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
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|html|svg|json)$/, threshold: 512, logLevel: 'silent' }),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: GROUPS }, chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js` },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': CONTROL_PLANE, '/pg': CONTROL_PLANE },
  },
})
