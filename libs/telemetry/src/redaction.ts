/** Field names of secrets and prompts. Their values are never logged, up to three levels deep. */
const names = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'api_key',
  'apikey',
  'apiKey',
  'mj-api-secret',
  'x-internal-auth',
  'key',
  'keys',
  'key_sealed',
  'password',
  'original_password',
  'secret',
  'secrets',
  'token',
  'access_token',
  'refresh_token',
  'session',
  'session_id',
  'prompt',
  'prompts',
  'messages',
  'content',
  'contents',
  'input',
  'body',
  'rawBody',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'LOG_STORE_URL',
  'REDIS_URL',
  'LEDGER_REDIS_URL',
  'KEY_CHANNELS',
  'KEY_OPTIONS',
  'INTERNAL_SECRETS',
  'SETUP_CODE',
]

export const CENSOR = '[redacted]'

/** The paths in pino's syntax, for one, two and three levels. */
export const redactedPaths: readonly string[] = names
  .flatMap((name) => [name, name.toLowerCase(), capitalised(name)])
  .filter((name, at, all) => all.indexOf(name) === at)
  .flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[\w\-.~+/=]{8,}/gi, `Bearer ${CENSOR}`],
  [/\bsk-[\w-]{8,}/g, CENSOR],
  [/\b(?:AIza|xai-|gsk_|hf_|r8_)[\w-]{16,}/g, CENSOR],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, CENSOR],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]*:[^\s/@]+@/gi, `$1${CENSOR}@`],
  [/([?&](?:key|api_key|apikey|token|access_token|code|secret|password)=)[^&\s"']+/gi, `$1${CENSOR}`],
]

/** Removes everything that looks like a credential: for messages and stacks that other code wrote. */
export function withoutSecrets(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
}

function capitalised(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}
