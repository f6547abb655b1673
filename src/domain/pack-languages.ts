/** The codes of the countries that have a pack, in alphabetical order. */
export const PACK_COUNTRIES = ['AT', 'CH', 'DE', 'FR', 'GB', 'NL', 'PL'] as const

/** The languages in which lesson types have names; classes have theirs in those of their country, and in English. */
export const PACK_LANGUAGES = ['de', 'en', 'fr', 'nl', 'pl'] as const
