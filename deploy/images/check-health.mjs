// Health check of the images: `node check-health.mjs PORT` exits with 0 if /healthz of the service in this container answers 200.
const response = await fetch(`http://127.0.0.1:${process.argv[2]}/healthz`, { signal: AbortSignal.timeout(2500) })
process.exit(response.ok ? 0 : 1)
