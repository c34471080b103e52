import { PROVIDER, type Client, type ClientValues } from './client.ts'

/** It writes the files of these clients; each takes the address of its own format. */
export const ccSwitch: Client = {
  id: 'cc-switch',
  name: 'CC Switch',
  kind: 'app',
  format: 'anthropic-messages',
  setups: [{ name: 'CC Switch', note: 'cc-switch', parts: (values) => [{ kind: 'links', links: APPS.map((app) => linkTo(app, values)) }] }],
}

const APPS = [
  { id: 'claude', name: 'Claude Code', path: '' },
  { id: 'codex', name: 'Codex', path: '/v1' },
  { id: 'gemini', name: 'Gemini CLI', path: '' },
] as const

function linkTo({ id, name, path }: (typeof APPS)[number], { address, key, model }: ClientValues): { name: string; url: string } {
  const provider = { resource: 'provider', app: id, name: PROVIDER, homepage: address, endpoint: address + path, apiKey: key, model }
  return { name, url: `ccswitch://v1/import?${new URLSearchParams(provider).toString()}` }
}
