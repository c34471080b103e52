import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['libs/{contracts,domain,providers,mail,config,telemetry,jobs}/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'service',
          include: ['libs/{db,redis,http,outbound,upstream,servers,testing}/**/*.test.ts', 'services/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['libs/testing/src/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
