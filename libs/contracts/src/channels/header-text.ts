/** True if a text can be the value of a header: visible ASCII, blanks, tabs, and the bytes above. https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
export function isHeaderText(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text)
}
