const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const PATTERN = new RegExp(String.raw`^(?:\*\.)?(?:${LABEL}\.)*${LABEL}(?::\d{1,5})?$`, 'i')

/**
 * True if a text is a host source of a Content-Security-Policy without scheme and path: `cdn.example.com`, `*.example.com`,
 * `10.0.0.7:8080`. See https://www.w3.org/TR/CSP3/#grammardef-host-source
 */
export const isHostPattern = (text: string): boolean => text.length <= 253 && PATTERN.test(text)
