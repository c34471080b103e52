import { parseJsonObject, textAt } from './json.ts'

/** Multi-regions have hosts of their own: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations (read 2026-11-27) */
const HOSTS: Readonly<Record<string, string>> = {
  global: 'https://aiplatform.googleapis.com',
  us: 'https://aiplatform.us.rep.googleapis.com',
  eu: 'https://aiplatform.eu.rep.googleapis.com',
}

/** The origin of Vertex AI in a region. */
export const hostOfRegion = (region: string): string => HOSTS[region] ?? `https://${region}-aiplatform.googleapis.com`

/** The default of Google's own clients; the newest models are served nowhere else. */
const DEFAULT_REGION = 'global'

/** The region from a channel's `other`: one region for all models, or JSON from model to region. */
export function regionOf(other: string, model: string): string {
  const text = other.trim()
  if (!text.startsWith('{')) return text === '' ? DEFAULT_REGION : text
  const regions = parseJsonObject(text)
  return textAt(regions, model) ?? textAt(regions, 'default') ?? DEFAULT_REGION
}

/** `projects/…/locations/…` of a service account's JSON; undefined: the key names no project. */
export function locationOf(key: string, region: string): string | undefined {
  const project = textAt(parseJsonObject(key), 'project_id')
  return project === undefined ? undefined : `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(region)}`
}
