import type { TFunction } from 'i18next'
import { type FormEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

type Field = HTMLInputElement

/** The fields whose fault is in words of the app. */
const worded = new Set<Field>()

/** Lets the browser check the fields anew: what it finds at the next attempt to send gets words again. */
function endWords(): void {
  for (const field of worded) field.setCustomValidity('')
  worded.clear()
}

/** Returns the handlers by which a field that the browser refuses says why in the language of the app, not of the browser. */
export function useOwnWords(value: unknown) {
  const { t } = useTranslation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form may fill in the field by itself
  useEffect(endWords, [value])
  return {
    onInvalid: ({ currentTarget: field }: FormEvent<Field>) => {
      const words = wordsFor(field, t)
      if (words === undefined) return
      field.setCustomValidity(words)
      worded.add(field)
    },
    onInput: endWords,
  }
}

function wordsFor({ validity, minLength }: Field, t: TFunction): string | undefined {
  if (validity.valueMissing) return t('text.required')
  if (validity.typeMismatch) return t('text.noEmail')
  return validity.tooShort ? t('text.tooShort', { min: minLength }) : undefined
}
