import type { TFunction } from 'i18next'
import { type FormEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

type Field = HTMLInputElement

/** The fields with a message of the app. */
const marked = new Set<Field>()

/** Clears the messages, so that the browser validates the fields again at the next attempt to send. */
function endMessages(): void {
  for (const field of marked) field.setCustomValidity('')
  marked.clear()
}

/** Returns the handlers that show why a field is invalid in the language of the app, not of the browser. */
export function useOwnMessages(value: unknown) {
  const { t } = useTranslation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form may change the value itself
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
