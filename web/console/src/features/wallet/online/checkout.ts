import type { PayAnswer } from '@tollgate/contracts/resources/wallet'

/** Leads the browser to the payment page: a form is posted where the provider wants one, else the page is opened. */
export function openCheckout({ url, data }: PayAnswer): void {
  if (url === undefined) return
  const fields = typeof data === 'string' ? {} : data
  if (Object.keys(fields).length === 0) {
    window.location.assign(url)
    return
  }
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = url
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
