import { screen } from '@testing-library/react'
import { status } from '@tollgate/contracts/resources/status'
import { describe, expect, it } from 'vitest'
import { aStatus } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

describe('the about page', () => {
  it('introduces the site to everyone while the operator wrote nothing', async () => {
    plane.answer(
      status.get,
      aStatus({ system_name: 'Acme', server_address: 'https://gw.example', version: '1.2.3', docs_link: 'https://d.example/' }),
    )
    plane.answer(status.about, '')
    await open('/about')

    expect(await screen.findByRole('heading', { name: '关于 Acme' })).toBeTruthy()
    expect(screen.getByText('https://gw.example/v1')).toBeTruthy()
    expect(screen.getByText('1.2.3')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'https://d.example/' })).toBeTruthy()
  })

  it('frames an https address without letting it into our origin', async () => {
    plane.answer(status.about, 'https://site.example/about')
    await open('/about')

    const frame = await screen.findByTitle('关于')
    expect(frame.getAttribute('src')).toBe('https://site.example/about')
    expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  })

  it('is in the main navigation', async () => {
    plane.answer(status.about, '')
    const view = await open('/about')

    await view.user.click(await screen.findByRole('link', { name: '关于' }))

    expect(view.address()).toBe('/about')
  })
})
