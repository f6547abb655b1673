/** The languages in which lesson types have names; classes have theirs in those of their country, and in English. */
export const PACK_LANGUAGES = ['de', 'en', 'fr', 'nl', 'pl'] as const
