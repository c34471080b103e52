// Writes docs/generated and the catalogue of vendors from the declarations in libs and services: `npm run gen`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderTypes } from '../../libs/admin-client/scripts/render-types.ts'
import { renderCatalogue } from './catalogue.ts'
import { renderCommands } from './commands.ts'
import { renderConfigSchema } from './config-schema.ts'
import { renderDefaultPrices } from './default-prices.ts'
import { renderDependencies } from './dependencies.ts'
import { renderEndpoints } from './endpoints.ts'
import { renderEnvironment } from './environment.ts'
import { renderEstimates } from './estimates.ts'
import { renderErrors } from './errors.ts'
import { renderJobs } from './jobs.ts'
import { renderMakerModels } from './maker-models.ts'
import { renderOpenApi } from './openapi.ts'
import { renderOptions } from './options.ts'
import { renderRights } from './rights.ts'
import { renderRelayOpenApi } from './relay-openapi.ts'
import { renderRefusals } from './refusals.ts'
import { renderSdkCalls } from './sdk-calls.ts'
import { renderTelemetry } from './telemetry.ts'
import { renderVendorFeatures } from './vendor-features.ts'
import { renderVendors } from './vendors.ts'

const folder = join(import.meta.dirname, '../../docs/generated')
mkdirSync(folder, { recursive: true })

const openApi = await renderOpenApi()
const files: Readonly<Record<string, string>> = {
  'openapi.json': openApi,
  'relay-openapi.json': renderRelayOpenApi(),
  'commands.md': renderCommands(),
  'config.schema.json': renderConfigSchema(),
  'dependencies.md': renderDependencies(),
  'endpoints.md': renderEndpoints(),
  'options.md': renderOptions(),
  'errors.md': renderErrors(),
  'environment.md': renderEnvironment(),
  'estimates.md': renderEstimates(),
  'refusals.md': renderRefusals(),
  'jobs.md': renderJobs(),
  'rights.md': renderRights(),
  'sdk-calls.md': renderSdkCalls(),
  'telemetry.md': renderTelemetry(),
  'vendors.md': renderVendors(),
  'vendor-features.md': renderVendorFeatures(),
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
writeFileSync(join(import.meta.dirname, '../../libs/providers/src/catalogue/maker-models.gen.ts'), renderMakerModels())
writeFileSync(join(import.meta.dirname, '../../libs/providers/src/catalogue-entries.gen.ts'), renderCatalogue())
writeFileSync(join(import.meta.dirname, '../../libs/contracts/src/options/default-prices.gen.ts'), renderDefaultPrices())
writeFileSync(join(import.meta.dirname, '../../libs/admin-client/src/schema.gen.ts'), await renderTypes(openApi))
console.log(`${Object.keys(files).length} files in docs/generated`)
