/** The promises under one heading: a sentence each, by number, such as `S12`. */
export type Chapter = { readonly title: string; readonly promises: Readonly<Record<string, string>> }
