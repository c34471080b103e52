// Reads the files of a client's set-up with the client's own package and prints what it took from them:
// `node readers.mjs CLIENT FILE…`. It is copied to the folder of the packages, because Node resolves them from there.
import { readFileSync } from 'node:fs'

const [client, ...files] = process.argv.slice(2)
const [first = '', second = ''] = files.map((file) => readFileSync(file, 'utf8'))

const READERS = {
  continue: async () => {
    const { fillTemplateVariables, parseConfigYaml } = await import('@continuedev/config-yaml')
    const [model] = parseConfigYaml(fillTemplateVariables(first, {})).models
    return { address: model.apiBase, key: model.apiKey, model: model.model }
  },
  'roo-code': async () => {
    const { providerSettingsWithIdSchema } = await import('@roo-code/types')
    const { currentApiConfigName, apiConfigs } = JSON.parse(first).providerProfiles
    // Fields that the schema does not know are left out.
    const profile = providerSettingsWithIdSchema.parse(apiConfigs[currentApiConfigName])
    return { address: profile.openAiBaseUrl, key: profile.openAiApiKey, model: profile.openAiModelId }
  },
  librechat: async () => {
    const { configSchema, extractEnvVariable } = await import('librechat-data-provider')
    const { load } = await import('js-yaml')
    const { default: dotenv } = await import('dotenv')
    Object.assign(process.env, dotenv.parse(second))
    const [endpoint] = configSchema.strict().parse(load(first)).endpoints.custom
    return { address: endpoint.baseURL, key: extractEnvVariable(endpoint.apiKey), model: endpoint.models.default[0] }
  },
}

console.log(JSON.stringify(await READERS[client]()))
