/** The form of HTML's e-mail fields: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const FORM = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const MAX_LENGTH = 254

/** The address in lower case, as it is stored and compared; undefined when it is not an address. */
export function parseAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  return address.length <= MAX_LENGTH && FORM.test(address) ? address : undefined
}

/** True if the domain of an address is in the list; a subdomain is another domain. */
export function isDomainAllowed(address: string, domains: readonly string[]): boolean {
  return domains.some((domain) => domain.toLowerCase() === domainOf(address))
}

/** True if the local part has a character that providers use for aliases of one mailbox. */
export function isAlias(address: string): boolean {
  return /[+.]/.test(localPartOf(address))
}

const IGNORES_DOTS: readonly string[] = ['gmail.com', 'googlemail.com']

/**
 * The mailbox behind an address, for limits and bonuses: without the tag after a plus sign, and without dots where the provider ignores
 * them. Google has one mailbox under two domains.
 */
export function mailboxOf(address: string): string {
  const [name = ''] = localPartOf(address).split('+')
  const domain = domainOf(address)
  return IGNORES_DOTS.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
const localPartOf = (address: string): string => address.slice(0, address.lastIndexOf('@'))
