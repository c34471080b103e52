import { readFileSync } from 'node:fs'
import { startBrowser } from './support/browser.ts'
const browser = await startBrowser()
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', permissions: ['clipboard-read', 'clipboard-write'], storageState: JSON.parse(readFileSync('/tmp/h/state.json', 'utf8')) })
const page = await context.newPage()
page.on('pageerror', (error) => console.log('PAGEERROR', error.message))
page.on('response', (r) => { if (r.status() >= 400) console.log(r.status(), r.url()) })
const text = async (label: string) => { console.log('---', label); console.log((await page.locator('main').innerText()).slice(0, 3000)) }
await page.goto('http://localhost:18090/client-setup')
await page.waitForTimeout(2500)
await text('page')
await page.screenshot({ path: '/tmp/shots/w22-setup.png', fullPage: true })
for (const tool of ['Codex']) {
  await page.getByText(tool, { exact: true }).first().click()
  await page.waitForTimeout(1500)
  await text(tool)
}
await page.screenshot({ path: '/tmp/shots/w23-setup.png', fullPage: true })
await context.storageState({ path: '/tmp/h/state.json' })
await browser.close()
