import type { Format } from '../i18n/format.ts'

/** What the reader calls the language of a locale: `de` is Deutsch, or German. */
export function languageName(locale: string, format: Format): string {
  return new Intl.DisplayNames(format.locale, { type: 'language' }).of(locale) ?? locale
}
