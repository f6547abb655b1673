/** Promises under one heading, a sentence each, by number: `S12`. */
export type Chapter = { readonly title: string; readonly promises: Readonly<Record<string, string>> }
