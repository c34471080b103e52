/** The view of a section that is open, or undefined for its first. Kept outside the form, which is opened again after a save. */
export type OpenView = { readonly name: string | undefined; readonly open: (name: string) => void }
