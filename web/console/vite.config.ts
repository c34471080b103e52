import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { endpointsWithoutSchemas } from './scripts/endpoints-without-schemas.ts'

// The control plane of `npm run dev`; the built console is served by it and needs no proxy.
const CONTROL_PLANE = process.env['CONTROL_PLANE_ORIGIN'] ?? 'http://127.0.0.1:3001'

// Every page needs these whole; in one file each they compress better than in dozens of small ones.
const GROUPS = [
  {
    name: 'style',
    test: /@chakra-ui\/react\/dist\/esm\/(styled-system|preset-base|utils|merge-|create-context)|@emotion|stylis|@pandacss/,
  },
  { name: 'kit', test: /console\/src\/(lib|theme)\/|contracts\/src\/(resources\/[\w-]+|units)\.ts$/ },
  // Widgets of all lists with what they import: without this group each new page splits them into more and smaller chunks.
  { name: 'list', test: /console\/src\/ui\/list\/(filter-bar|pager)\.tsx$/, minShareCount: 3 },
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
  ],
  build: {
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: {
    port: 5173,
    proxy: { '/api': CONTROL_PLANE, '/pg': CONTROL_PLANE },
  },
})
