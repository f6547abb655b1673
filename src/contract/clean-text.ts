/** Control characters, and marks that show what follows in another direction or order. */
const UNWANTED = /[\p{Cc}\u202a-\u202e\u2066-\u206f\ufeff]/gu
const BREAKS = /[\t\n\r\u2028\u2029]+/g
const KEPT = new Set(['\t', '\n', '\r'])

/**
 * Returns a text without characters that nobody sees or types, such as those that turn a name around, and without spaces at its
 * ends. In a text of one line, tabs and ends of lines become a space.
 */
export function cleanText(text: string, isOneLine: boolean): string {
  const joined = isOneLine ? text.replace(BREAKS, ' ') : text
  return joined.replace(UNWANTED, (mark) => (KEPT.has(mark) ? mark : '')).trim()
}
