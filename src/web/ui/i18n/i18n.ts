import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { FirstTexts } from './de.ts'
import type { LaterTexts } from './de-later.ts'

export type Language = 'de' | 'en'
export const LANGUAGES: Readonly<Record<Language, string>> = { de: 'Deutsch', en: 'English' }

type Texts = FirstTexts & LaterTexts

/** The key of a field's label. */
export type FieldLabel = `field.${keyof Texts['field']}`

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Texts }
  }
}

const CHOSEN = 'fahrplan.language'

const load: Readonly<Record<Language, () => Promise<FirstTexts>>> = {
  de: async () => (await import('./de.ts')).de,
  en: async () => (await import('./en.ts')).en,
}

const loadLater: Readonly<Record<Language, () => Promise<LaterTexts>>> = {
  de: async () => (await import('./de-later.ts')).deLater,
  en: async () => (await import('./en-later.ts')).enLater,
}

/** The languages whose texts are all loaded. */
const whole = new Set<string>()

let start: Promise<void> | undefined

/** Starts with the language chosen in this browser, or else the browser's own. */
export function startI18n(): Promise<void> {
  start ??= startWith(chosenLanguage())
  return start
}

async function startWith(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: await load[language]() } },
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = language
}

/** Fetches code together with the texts that the first page does not need. */
export function withTexts<Module>(fetchIt: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [module] = await Promise.all([fetchIt(), addLater(currentLanguage())])
    return module
  }
}

async function addLater(language: Language): Promise<void> {
  if (whole.has(language)) return
  const [texts] = await Promise.all([loadLater[language](), startI18n()])
  i18next.addResourceBundle(language, 'translation', texts, true, true)
  whole.add(language)
}

/** Changes and stores this browser's language. */
export async function changeLanguage(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await load[language](), true, true)
  await addLater(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  localStorage.setItem(CHOSEN, language)
}

function currentLanguage(): Language {
  return (i18next.language as Language | undefined) ?? chosenLanguage()
}

function chosenLanguage(): Language {
  const language = localStorage.getItem(CHOSEN) ?? navigator.language
  return language.startsWith('de') ? 'de' : 'en'
}
