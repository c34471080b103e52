const MASK = '***'
const MAX_DEPTH = 8

/**
 * Patterns that name the operator's account or inner network in a vendor's words. ARNs:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html · resource names:
 * https://cloud.google.com/apis/design/resource_names · private addresses: RFC 1918, 3927, 4193.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\barn:aws[\w-]*:[^\s"'`,;)\]}]+/g, `arn:${MASK}`],
  [
    /\b(projects|projectNumber|project|project_id|consumer)([/:= ]{1,2}["'`]?)(?!is\b|has\b|does\b|not\b|or\b|and\b)[a-z0-9][\w.:-]{2,62}/gi,
    `$1$2${MASK}`,
  ],
  [/\b[\w.-]+@[\w-]+\.iam\.gserviceaccount\.com\b/g, MASK],
  [
    /(?:\b[a-z][a-z0-9+.-]*:\/\/)?(?<![\d.])(?:10(?:\.\d{1,3}){3}|127(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?![\d.]\d)(?::\d{1,5})?(?:\/[^\s"'`,;)\]}]*)?/gi,
    MASK,
  ],
  [
    /\b(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[a-z0-9-]+\.)+(?:internal|local|lan|intranet|svc|cluster\.local)\b(?::\d{1,5})?(?:\/[^\s"'`,;)\]}]*)?/gi,
    MASK,
  ],
  [/\[(?:f[cd][0-9a-f]{2}|fe80)[0-9a-f:]*\](?::\d{1,5})?/gi, MASK],
]

/** The text of a vendor as its customers may read it: without names of the operator's account and addresses of the inner network. */
export function redactAccount(text: string): string {
  return PATTERNS.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text)
}

/** The same for every string inside a value of JSON. */
export function redactAccountIn(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactAccount(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((item) => redactAccountIn(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactAccountIn(item, depth + 1)]))
}
