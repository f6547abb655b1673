import type { Plugin } from 'vite'

/** The description of a field in the API's document: a text in quotation marks that contains no escaped ones. */
const ABOUT = /\babout:\s*(?:'[^']*'|"[^"]*"|`[^`]*`),?/g

/** Leaves the descriptions of fields out of the app: only the API's document has them. */
export function withoutDocuments(): Plugin {
  return {
    name: 'without-documents',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/domain\/\w+-fields\.ts$/ },
      handler: (code) => ({ code: code.replace(ABOUT, ''), map: null }),
    },
  }
}
