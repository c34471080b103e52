import type { Hono } from 'hono'

export type HealthState = {
  /** Undefined when ready; else what is missing, for operators. */
  readonly findObstacle: () => Promise<string | undefined>
  isDraining: boolean
}

/** `/healthz`: the process runs. `/readyz`: it can serve; 503 while draining, so that load balancers stop sending requests. */
export function bindHealth(app: Hono, state: HealthState): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    const obstacle = state.isDraining ? 'stopping' : await state.findObstacle().catch(() => 'a dependency does not answer')
    return obstacle === undefined ? c.json({ status: 'ready' }) : c.json({ status: 'not ready', reason: obstacle }, 503)
  })
}
