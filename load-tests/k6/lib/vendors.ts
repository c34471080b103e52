import { call, rowsOf, type Session } from './console.ts'
import { settings } from './settings.ts'

export type Models = { readonly whole: readonly string[]; readonly stream: readonly string[] }

/**
 * Channels to the simulator: one per vendor format for whole responses and one for streams, so that every client format is used with every
 * vendor format. Each serves a model that has a preset price and that vendors no longer offer, so no other user's request reaches it.
 */
const SIMULATED = [
  { type: 1, whole: 'gpt-3.5-turbo-0613', stream: 'gpt-3.5-turbo-16k-0613' },
  { type: 14, whole: 'claude-2.0', stream: 'claude-2.1' },
  { type: 24, whole: 'gemini-1.5-pro-latest', stream: 'gemini-1.5-flash-latest' },
] as const
const RESPONSES = { whole: 'kind=json,size=900', stream: 'kind=sse,hz=50,n=60,size=60' } as const

/** The models to request; with VENDOR_URL those of new channels. Throws if the deployment already serves one of them. */
export function makeVendors(session: Session, mark: string): Models {
  if (settings.vendorUrl === '') return { whole: [settings.model], stream: [settings.model] }
  const served = call(session, 'GET', '/api/channel/models_enabled')
  for (const { type, whole, stream } of SIMULATED) {
    for (const [response, model] of [[RESPONSES.whole, whole] as const, [RESPONSES.stream, stream] as const]) {
      if (Array.isArray(served) && served.includes(model)) {
        throw new Error(`${model} is already served, by real vendors or by channels that clean.ts removes`)
      }
      const base_url = `${settings.vendorUrl}/${response}`
      call(session, 'POST', '/api/channel/', {
        type,
        name: `${mark}-${model}`,
        key: 'simulated',
        base_url,
        models: model,
        group: 'default',
      })
    }
  }
  return { whole: SIMULATED.map(({ whole }) => whole), stream: SIMULATED.map(({ stream }) => stream) }
}

export function removeVendors(session: Session, mark: string): void {
  const found = rowsOf(call(session, 'GET', `/api/channel/search?keyword=${mark}`))
  for (const { id, name } of found) if (String(name).startsWith(mark)) call(session, 'DELETE', `/api/channel/${String(id)}`)
}
