// Writes docs/generated from the declarations: `npm run gen`. The check fails when that changes anything.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderEndpoints } from './gen/endpoints.ts'
import { renderErrors } from './gen/errors.ts'
import { renderJobs } from './gen/jobs.ts'
import { renderOpenApi } from './gen/openapi.ts'
import { renderOptions } from './gen/options.ts'
import { renderVendors } from './gen/vendors.ts'

const folder = join(import.meta.dirname, '../docs/generated')
mkdirSync(folder, { recursive: true })

const files: Readonly<Record<string, string>> = {
  'openapi.json': renderOpenApi(),
  'endpoints.md': renderEndpoints(),
  'options.md': renderOptions(),
  'errors.md': renderErrors(),
  'jobs.md': renderJobs(),
  'vendors.md': renderVendors(),
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
console.log(`${Object.keys(files).length} files in docs/generated`)
