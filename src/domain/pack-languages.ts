export const PACK_COUNTRIES = ['AT', 'CH', 'DE', 'FR', 'GB', 'NL', 'PL'] as const

/** The languages of lesson types. Classes have those of their country, and English. */
export const PACK_LANGUAGES = ['de', 'en', 'fr', 'nl', 'pl'] as const
