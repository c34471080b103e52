import { expect, it, vi } from 'vitest'
import { createTerminal } from './terminal.ts'

it('prints the set-up address once the services that answer it are ready, and again after a restart', () => {
  const written = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const terminal = createTerminal()
  const announce = (code: string): void =>
    terminal.showServiceLine(
      'control-plane',
      JSON.stringify({ level: 'info', msg: 'not set up', url: `http://localhost:3000/setup?code=${code}` }),
    )

  announce('one')
  expect(written).not.toHaveBeenCalled()
  terminal.ready()
  announce('two')

  expect(written.mock.calls.flat()).toEqual([
    'not set up: http://localhost:3000/setup?code=one',
    'not set up: http://localhost:3000/setup?code=two',
  ])
  written.mockRestore()
})
