/** Headers of every HTTP client, and those in which an SDK names itself, its runtime, its attempt or the moment. */
const LEFT_OUT =
  /^(?:host|connection|content-length|cookie|transfer-encoding|user-agent|accept-encoding|accept-language|sec-fetch-mode|priority|te|traceparent|x-recorded-origin|x-stainless-.*|x-fern-.*|x-goog-api-client|x-amz-user-agent|amz-sdk-.*|x-amz-date|x-client-request-id|x-tc-timestamp|x-tc-requestclient|x-tc-traceid|x-dashscope-sdk-.*|x-pplx-integration|x-source|x-source-channel|x-title|zai-sdk-ver|source_type|x-request-sdk|request_id)$/

/** The headers of a call that mean something to its vendor, sorted, with signatures reduced to their form. */
export function comparableHeaders(headers: Iterable<readonly [name: string, value: string]>): Readonly<Record<string, string>> {
  const kept = [...headers].map(([name, value]) => [name.toLowerCase(), masked(value)] as const).filter(([name]) => !LEFT_OUT.test(name))
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Hashes, signatures and the day of a signature change with every run. */
function masked(value: string): string {
  return value.replace(/\b[0-9a-f]{64}\b/g, '<sha256>').replace(/(?<=Credential=[^/]+\/)\d{4}-?\d\d-?\d\d(?=\/)/, '<day>')
}
