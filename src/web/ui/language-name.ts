import type { Format } from './i18n/format.ts'

/** Returns a locale's language in the reader's: `de` is Deutsch, or German. */
export function languageName(locale: string, format: Format): string {
  return new Intl.DisplayNames(format.locale, { type: 'language' }).of(locale) ?? locale
}
