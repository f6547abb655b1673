export const PACK_COUNTRIES = ['AT', 'CH', 'DE', 'FR', 'GB', 'NL', 'PL'] as const

/** The languages in which every pack names lesson types. Classes have names in those of their country and in English. */
export const PACK_LANGUAGES = ['de', 'en', 'fr', 'nl', 'pl'] as const
