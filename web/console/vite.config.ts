import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { endpointsWithoutSchemas } from './scripts/endpoints-without-schemas.ts'

// The control plane of `npm run dev`; the built console is served by it and needs no proxy.
const CONTROL_PLANE = process.env['CONTROL_PLANE_ORIGIN'] ?? 'http://127.0.0.1:3001'

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
  build: { target: 'es2023', sourcemap: false, manifest: true, chunkSizeWarningLimit: 700 },
  server: {
    port: 5173,
    proxy: { '/api': CONTROL_PLANE, '/pg': CONTROL_PLANE },
  },
})
