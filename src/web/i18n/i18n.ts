import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Texts } from './de.ts'

export type Language = 'de' | 'en'
export const LANGUAGES: Readonly<Record<Language, string>> = { de: 'Deutsch', en: 'English' }

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Texts }
  }
}

const CHOSEN = 'fahrplan.language'

const load: Readonly<Record<Language, () => Promise<Texts>>> = {
  de: async () => (await import('./de.ts')).de,
  en: async () => (await import('./en.ts')).en,
}

/** Starts with the language that was chosen here, or else the browser's. */
export async function startI18n(): Promise<void> {
  const language = chosenLanguage()
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: await load[language]() } },
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = language
}

export async function changeLanguage(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await load[language]())
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  localStorage.setItem(CHOSEN, language)
}

function chosenLanguage(): Language {
  const language = localStorage.getItem(CHOSEN) ?? navigator.language
  return language.startsWith('de') ? 'de' : 'en'
}
