/** Whether a locale such as `de` or `fr-CH` is one whose dates and numbers the runtime can write (Unicode CLDR). */
export function isKnownLocale(locale: string): boolean {
  return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
}
