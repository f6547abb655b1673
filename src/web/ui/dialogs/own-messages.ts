import type { TFunction } from 'i18next'
import { type FormEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

type Field = HTMLInputElement

/** The fields whose fault has a message of the app. */
const marked = new Set<Field>()

/** Lets the browser check the fields again: faults at the next attempt to send get a message again. */
function endMessages(): void {
  for (const field of marked) field.setCustomValidity('')
  marked.clear()
}

/** Returns the handlers by which a field that the browser refuses says why in the language of the app, not of the browser. */
export function useOwnMessages(value: unknown) {
  const { t } = useTranslation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form may fill in the field by itself
  useEffect(endMessages, [value])
  return {
    onInvalid: ({ currentTarget: field }: FormEvent<Field>) => {
      const message = messageFor(field, t)
      if (message === undefined) return
      field.setCustomValidity(message)
      marked.add(field)
    },
    onInput: endMessages,
  }
}

function messageFor({ validity, minLength }: Field, t: TFunction): string | undefined {
  if (validity.valueMissing) return t('text.required')
  if (validity.typeMismatch) return t('text.noEmail')
  return validity.tooShort ? t('text.tooShort', { min: minLength }) : undefined
}
